#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Links that somebody has put where the program writes: at each of its names, to a file of the user's, to nothing, as another
# name of the file, and a pipe. What they lead to stays as it was, nothing appears elsewhere, and the run is well; a directory
# that is a link is one; and an archive that is a link is the one it leads to.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

cat > s.yaml << 'END'
polhode: 1
model: double-spherical-pendulum
method: variational
step: 0.01
steps: 40
output: {every: 10, csv: true}
events: [{name: late, when: t, crosses: 0.123}]
END
expect 0 "$polhode" run s.yaml -o good --quiet
names="s.polhode s.polhode.part s.polhode.lock s.polhode-wal s.polhode-shm s.polhode-journal s.polhode.part-journal
    summary.json summary.json.part trajectory.csv trajectory.csv.part events.csv events.csv.part"
test "$(echo $names | wc -w)" -eq 13 || fail "these are not the names"

# plant KIND NAME
plant() {
    test -e victim || echo precious > victim
    case $1 in
    link) ln -s "$PWD/victim" "$2" ;;
    relative) ln -s ../victim "$2" ;;
    dangling) ln -s "$PWD/nowhere" "$2" ;;
    hard) ln victim "$2" ;;
    pipe) mkfifo "$2" ;;
    esac
}

# untouched WHAT: where it leads is as it was
untouched() {
    test "$(cat victim)" = precious || fail "$1: the file that was linked to has $(wc -c < victim) bytes"
    test ! -e nowhere || fail "$1: a file has appeared elsewhere"
    rm -f victim nowhere
}

# good_run WHAT: into the directory o, which has nothing else behind it
good_run() {
    expect 0 timeout 60 "$polhode" run s.yaml -o o --force --quiet
    untouched "$1"
    for file in trajectory.csv events.csv; do
        test ! -L o/$file && cmp -s o/$file good/$file || fail "$1: $file is another one"
    done
    test ! -L o/s.polhode && test ! -L o/summary.json || fail "$1: a result is a link"
    test "$(ls o | wc -w)" -eq 4 || fail "$1: left in the directory are $(ls o)"
    expect 0 "$polhode" info --check --quiet o/s.polhode
    rm -rf o
}

tried=0
for name in $names; do
    mkdir o
    plant link "o/$name"
    good_run "a link at $name"
    tried=$((tried + 1))
done
for kind in relative dangling hard pipe; do
    mkdir o
    for name in $names; do
        plant $kind "o/$name"
        tried=$((tried + 1))
    done
    good_run "$kind at all names"
done
for kind in link dangling hard pipe; do
    for result in x.csv x.npy x.npz x.h5; do
        for name in $result $result.part $result.columns.part; do
            plant $kind $name
        done
        code=0
        timeout 60 "$polhode" export good/s.polhode -o $result --force --quiet > out 2> err || code=$?
        test $code -eq 0 || grep -q "this build cannot write" err || fail "export, $kind: $code: $(cat err)"
        untouched "export, $kind at the names of $result"
        test $code -ne 0 || test ! -L $result || fail "$kind: $result is a link"
        rm -f x.*
        tried=$((tried + 2))
    done
    plant $kind new.yaml.part
    expect 0 timeout 60 "$polhode" new double-spherical-pendulum -o new.yaml --quiet
    untouched "new, $kind"
    rm -f new.yaml*
done
echo "$tried links were planted"

# a directory of one of the names is in the way, and is reported
mkdir -p o/summary.json.part
expect 3 "$polhode" run s.yaml -o o --force --quiet
says err "summary.json.part"
rm -rf o

# a directory that is a link, and parents that are
mkdir -p there/deep
ln -s there here
for place in here here/deep; do
    expect 0 "$polhode" run s.yaml -o $place --force --quiet
    cmp -s $place/trajectory.csv good/trajectory.csv || fail "a directory that is a link has another trajectory"
    expect 0 "$polhode" resume $place/s.polhode --until 1 --quiet
    expect 0 "$polhode" info --check --quiet there/s.polhode
done
test -L here || fail "the link to the directory has gone"

# an archive that is a link: the run is resumed in the file that it leads to; a new run replaces the link
mkdir far
mv there/s.polhode far/real
ln -s ../far/real there/s.polhode
expect 0 "$polhode" resume there/s.polhode --until 2 --quiet
expect 0 "$polhode" info --check there/s.polhode
says out "200 steps"
test -L there/s.polhode || fail "the archive's link has gone"
cp far/real before
expect 0 "$polhode" run s.yaml -o there --force --quiet
test ! -L there/s.polhode || fail "a new run was written through the link"
cmp -s far/real before || fail "a new run has changed what the link led to"

# who may read the lock file keeps nobody out
if command -v flock > /dev/null; then
    : > good/s.polhode.lock
    for how in -s -x; do
        flock $how good/s.polhode.lock sleep 60 &
        running=$!
        sleep 0.2
        expect 0 timeout 60 "$polhode" run s.yaml -o good --force --quiet
        kill $running
        wait $running 2> /dev/null || true
        running=
        : > good/s.polhode.lock
    done
else
    echo "no flock: a lock by another program is tried by tests/archive/check_record_writers.c alone"
fi
exit $failed
