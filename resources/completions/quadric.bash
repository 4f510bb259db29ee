# Completion of Quadric's programs for bash: the programs say themselves what may stand where.

_quadric()
{
    local line=${COMP_LINE:0:COMP_POINT} word kept= offer
    word=${line##*[[:space:]]}
    # Readline takes what stands behind = and : for a word of its own.
    [[ $COMP_WORDBREAKS == *=* && $COMP_WORDBREAKS == *:* ]] && kept=${word%"${word##*[=:]}"}
    word=${word#"$kept"}

    COMPREPLY=()
    while IFS=$'\t' read -r offer _; do
        case $offer in
        :files)   compopt -o filenames -o default ;;
        :folders) compopt -o filenames -o dirnames ;;
        :studies)
            compopt -o filenames -o plusdirs
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X '!*.quadric' -- "$word")
            ;;
        *)
            [[ $offer == *[=:] ]] && compopt -o nospace
            COMPREPLY+=("${offer#"$kept"}")
            ;;
        esac
    done < <("$1" complete --line "$line" 2>/dev/null)
}
complete -F _quadric quadric quadric-trainer
