#!/bin/sh
# A player that opens a random covered cell. With mineflow: pipeline eval --players "exec:sh examples/engines/random.sh"
while read -r word rest; do
  case $word in
    mineflow) echo "name random" ;;
    view) echo "$rest" | awk -v seed="$((seed += 1))" 'BEGIN { RS = "/"; srand(seed) }
        { for (c = 1; c <= length($1); c++) if (substr($1, c, 1) == "#" && rand() < 1 / ++n) at = NR - 1 " " c - 1 }
        END { print "open " at }' ;;
    game) seed=${rest#* } seed=${seed%"${seed#???????}"} ;;
    quit) exit ;;
  esac
done
