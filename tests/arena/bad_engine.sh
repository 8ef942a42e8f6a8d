#!/bin/sh
# An engine for tests, which knows one move and many ways to fail: bad_engine.sh WAY [FILE]. It writes
# its process number to standard error. With a FILE it fails at its first start only, and makes the
# file then.
way=$1
echo $$ >&2
if [ -n "$2" ]; then
  if [ -e "$2" ]; then way=good; else : >"$2"; fi
fi

good='bestmove a2-b3'
started=no

# The answer to go.
go() {
  case $way in
    good) echo "info depth 3 seldepth 9 nodes 77 score cp 35 pv a2-b3"; echo "$good" ;;
    quarrel) echo; echo 'what is this?'; printf 'info depth x nodes -\r\ninfo score mate 3\r\n'
             echo 'info multipv 2 score cp -900 depth 1 nodes 1'; echo "$good ponder h7-g6" ;;
    echo) echo "info string $asked" >&2; echo "$good" ;;
    die) exit 5 ;;
    once) echo "$good"; exit 0 ;;
    signal) kill -s KILL $$ ;;
    leave) exec sleep 60 >/dev/null ;;
    hang | stubborn) started=yes ;;
    deaf) sleep 60 ;;
    late) started=yes ;;
    slow) sleep 0.15; echo "$good" ;;
    illegal) echo 'bestmove a2-a8' ;;
    nonsense) printf 'bestmove %%\377\n' ;;
    none) echo 'bestmove' ;;
    flood) yes 'info string nothing to see here' ;;
    longline) yes 'never ending' | tr -d '\n' ;;
    zero) printf 'info \000 depth 1\n'; echo "$good" ;;
    partial) printf '%s' "$good"; started=yes ;;
    pieces) printf 'best'; sleep 0.05; printf 'move a2'; sleep 0.05; echo '-b3' ;;
  esac
}

case $way in
  start) exit 3 ;;
  mute) exec sleep 60 ;;
  stubborn) trap '' TERM ;;
  chatter) yes 'hello' ;;
esac

while :; do
  if ! read -r line; then
    # The end of the input.
    [ "$way" = stubborn ] && while :; do sleep 1; done
    exit 0
  fi
  case $line in
    ugi) echo 'id name bad'; echo 'id author nobody'
         [ "$way" = handshake ] && exit 4
         echo 'option name Level type spin default 1 min 1 max 9'
         echo 'option name Book File type string default <empty>'
         echo 'option name Style type combo default calm var calm var wild'
         echo 'option name Clear type button'
         echo ugiok ;;
    isready) [ "$way" = unready ] || echo readyok ;;
    setoption*) [ "$way" = echo ] && echo "$line" >&2 ;;
    uginewgame | position*) [ "$way" = echo ] && echo "$line" >&2 ;;
    go*) asked=$line; go ;;
    stop) [ "$way" = late ] && [ $started = yes ] && echo "$good"; started=no ;;
    quit) [ "$way" = stubborn ] || exit 0 ;;
  esac
done
