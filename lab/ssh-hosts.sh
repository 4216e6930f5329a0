#!/bin/sh
# Hosts to try Pyrometer on without machines: each is a network namespace of this machine with a
# copy of its files (an overlay in memory), processes of its own and an OpenSSH server. Needs root
# on Linux and sshd (apt-get install openssh-server).
#
#   lab/ssh-hosts.sh up FOLDER COUNT [COMMAND]
#   lab/ssh-hosts.sh down FOLDER
#
# 'up' makes w1, w2 ... with the addresses 10.203.77.1 ... and FOLDER (absolute), whose bin/ssh reaches
# them by their names: put FOLDER/bin first in PATH. COMMAND is run on each before its server
# starts, such as 'rm -r /usr/lib/jvm'. 'down' ends them all and leaves nothing of them.
set -eu
[ -n "${2:-}" ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$2

down() {
  for host in "$folder"/w*[0-9]; do
    i=${host##*/w}
    # With the first of a host's processes the others end.
    ip netns pids "pyro-$i" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
    # A namespace takes its links with it some time after it is gone.
    ip link del "pyro-v$i" 2>/dev/null || true
    ip netns del "pyro-$i" 2>/dev/null || true
  done
  ip link del pyro-br 2>/dev/null || true
  rm -rf "$folder"
}

up() {
  mkdir -p "$folder/bin" /run/sshd
  for key in host user; do
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$folder/$key"
  done
  cat >"$folder/config" <<END
Host w*
  IdentityFile $folder/user
Host *
  User root
  IdentitiesOnly yes
  UserKnownHostsFile $folder/known
END
  # Of the options on the command line, the first counts.
  cat >"$folder/bin/ssh" <<END
#!/bin/sh
exec $(command -v ssh) -F $folder/config -o ControlPath=$folder/%C "\$@"
END
  chmod +x "$folder/bin/ssh"
  ip link add pyro-br type bridge
  ip addr add 10.203.77.254/24 dev pyro-br
  ip link set pyro-br up
  for i in $(seq "$1"); do
    host "$i" "10.203.77.$i" "$2"
  done
}

host() {
  printf 'Host w%s\n  HostName %s\n' "$1" "$2" >>"$folder/config"
  printf '%s %s\n' "$2" "$(cat "$folder/host.pub")" >>"$folder/known"
  mkdir "$folder/w$1"
  ip netns add "pyro-$1"
  ip link add "pyro-v$1" type veth peer name eth0 netns "pyro-$1"
  ip link set "pyro-v$1" master pyro-br up
  ip -n "pyro-$1" addr add "$2/24" dev eth0
  ip -n "pyro-$1" link set eth0 up
  ip -n "pyro-$1" link set lo up
  ip -n "pyro-$1" route add default via 10.203.77.254
  ip netns exec "pyro-$1" unshare --mount --uts --pid --fork sh -eu -c "
    mount -t tmpfs -o mode=755 w$1 '$folder/w$1'
    cd '$folder/w$1'
    mkdir upper work root
    mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work w$1 root
    mount -t proc proc root/proc
    mount --rbind /sys root/sys
    mount --rbind /dev root/dev
    mount -t tmpfs tmp root/tmp
    mount -t tmpfs run root/run
    mkdir root/run/sshd root/run/keys
    cp '$folder/host' '$folder/user.pub' root/run/keys
    echo w$1 >root/proc/sys/kernel/hostname
    cd root
    chroot . sh -c \"\$0\"
    exec chroot . /usr/sbin/sshd -D -f /dev/null -h /run/keys/host -o AuthorizedKeysFile=/run/keys/user.pub -o ListenAddress=$2 -o StrictModes=no -o Subsystem='sftp internal-sftp'
  " "$3" </dev/null >"$folder/w$1.log" 2>&1 &
  for try in $(seq 600); do
    ! "$folder/bin/ssh" -o BatchMode=yes "w$1" true 2>/dev/null || return 0
    sleep 0.1
  done
  cat "$folder/w$1.log" >&2
  exit 1
}

case $1 in
  up) up "$3" "${4:-:}" ;;
  down) down ;;
esac
