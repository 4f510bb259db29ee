#!/usr/bin/env bash
# A real Slurm of virtual nodes on this machine, for tests: slurmctld, slurmd and munged on 127.0.0.1, without systemd, control groups or root.
# Everything lies in one folder. The GPUs are not there: links to /dev/null, which Slurm counts and hands out. It proves function, never speed.
#   virtual_cluster.sh up FOLDER PORT NODES GPUS_PER_NODE     ports PORT … PORT + NODES; afterwards SLURM_CONF=FOLDER/slurm.conf
#   virtual_cluster.sh crash FOLDER NODE                      kills a node and all that runs on it, as a power failure would
#   virtual_cluster.sh boot FOLDER NODE
#   virtual_cluster.sh crash_controller FOLDER                its nodes and their jobs go on
#   virtual_cluster.sh boot_controller FOLDER [-c]            -c: without the jobs that it had
#   virtual_cluster.sh down FOLDER
set -euo pipefail
action=$1 folder=$2
export SLURM_CONF=$folder/slurm.conf PATH=$PATH:/usr/sbin:/sbin

# Daemons listen where their host's name leads. Each gets a name that leads to 127.0.0.1, in a namespace of its own, where that is allowed.
if unshare --uts --mount mount --bind /dev/null /etc/hosts 2>/dev/null; then has_namespaces=1; else has_namespaces=; fi
as_host() {
    local name=$1
    shift
    [ "$has_namespaces" ] || { "$@"; return; }
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --uts --mount bash -c 'mount --bind "$0" /etc/hosts; hostname "$1"; shift; exec "$@"' "$folder/hosts" "$name" "$@"
}

write_configuration() {
    local port=$1 nodes=$2 gpus=$3 user binding=
    user=$(id -un)
    mkdir -p "$folder"/{state,log,dev,spool}
    (umask 077; head -c 1024 /dev/urandom >"$folder/munge.key")
    for ((i = 0; i < gpus; i++)); do ln -sfn /dev/null "$folder/dev/nvidia$i"; done # Slurm wants character devices
    echo "NodeName=n[1-$nodes] Name=gpu File=$folder/dev/nvidia[0-$((gpus - 1))]" >"$folder/gres.conf"
    echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf" # not used, but what is found by itself stops slurmd in containers
    { echo "127.0.0.1 localhost ctl$(printf ' n%d' $(seq "$nodes"))"; cat /etc/hosts; } >"$folder/hosts"
    if [ "$has_namespaces" ] || getent ahostsv4 "$(hostname)" | grep -q ^127; then
        binding=CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
    fi
    cat >"$SLURM_CONF" <<CONF
ClusterName=virtual
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
$binding
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
EnforcePartLimits=ALL
ReturnToService=2
SlurmdTimeout=5
KillWait=2
NodeName=n[1-$nodes] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=8 RealMemory=4000 Gres=gpu:$gpus
PartitionName=virtual Nodes=ALL Default=YES MaxTime=24:00:00 DefaultTime=10:00 State=UP
CONF
}

fail() {
    echo "virtual cluster: $1" >&2
    grep -hE 'error|fatal' "$folder"/log/*.log 2>/dev/null | tail -n 5 >&2 || true
    down
    exit 1
}

boot() {
    as_host "$1" slurmd -N "$1" || fail "slurmd of $1 does not start"
}

crash_controller() {
    kill -9 "$(cat "$folder/slurmctld.pid")"
    rm -f "$folder/slurmctld.pid"
}

boot_controller() {
    as_host ctl slurmctld "$@" || fail "slurmctld does not start"
}

up() {
    local nodes=$2
    write_configuration "$@"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.sock" --pid-file="$folder/munged.pid" \
        --log-file="$folder/log/munged.log" --seed-file="$folder/munge.seed" || fail "munged does not start"
    for ((i = 0; i < 100; i++)); do [ -s "$folder/munged.pid" ] && break; sleep 0.05; done
    as_host ctl slurmctld -c || fail "slurmctld does not start"
    for ((i = 1; i <= nodes; i++)); do boot "n$i"; done
    for ((SECONDS = 0; SECONDS < 30;)); do # the controller may die after it has started: ping tells at once
        scontrol ping >/dev/null 2>&1 && [ "$(sinfo --noheader --Node --format=%T | grep -cx idle)" = "$nodes" ] && return 0
        sleep 0.1
    done
    fail "the nodes are not idle after 30 s"
}

# slurmd and the slurmstepds (parents of the tasks) before the tasks: nobody is left to report their end
crash() {
    local node=$1 task parent tasks=() steps=()
    for task in $(grep -lzsx "SLURMD_NODENAME=$node" /proc/[0-9]*/environ | cut -d/ -f3); do
        grep -qzsx "SLURM_CONF=$SLURM_CONF" "/proc/$task/environ" || continue
        tasks+=("$task")
        parent=$(ps -o ppid= -p "$task" | tr -d ' ')
        [ "$(cat "/proc/$parent/comm" 2>/dev/null)" = slurmstepd ] && steps+=("$parent")
    done
    kill -9 "$(cat "$folder/slurmd-$node.pid")" "${steps[@]}" "${tasks[@]}" 2>/dev/null || true
    rm -f "$folder/slurmd-$node.pid"
}

down() {
    [ -f "$SLURM_CONF" ] || return 0
    if scontrol ping >/dev/null 2>&1; then
        scancel --full --user="$(id -un)" || true
        for ((SECONDS = 0; SECONDS < 10;)); do [ -z "$(squeue --noheader)" ] && break; sleep 0.1; done
    fi
    local file pid
    for file in "$folder"/slurmd-*.pid "$folder"/slurmctld.pid "$folder"/munged.pid; do
        pid=$(cat "$file" 2>/dev/null) || continue
        if grep -qsxE 'slurmd|slurmctld|munged' "/proc/$pid/comm"; then kill "$pid" || true; else rm -f "$file"; fi
    done
    for ((SECONDS = 0; SECONDS < 10;)); do compgen -G "$folder/*.pid" >/dev/null || return 0; sleep 0.1; done
}

shift 2
"$action" "$@"
