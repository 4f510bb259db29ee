# Completion of Quadric's programs for fish: the programs say themselves what may stand where.

function __quadric_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for offer in ($words[1] complete -- $words[2..-1] "$typed" 2>/dev/null)
        switch $offer
            case :files
                __fish_complete_path "$typed"
            case :folders
                __fish_complete_directories "$typed"
            case :studies
                __fish_complete_suffix .quadric
            case '*'
                echo $offer
        end
    end
end

for program in quadric quadric-trainer
    complete -c $program -f -a '(__quadric_offers)'
end
