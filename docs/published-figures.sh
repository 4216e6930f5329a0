#!/usr/bin/env bash
# Writes docs/published-figures.md and its pictures from the published data in the analyses' tests.
# PYROMETER is the command to use, CHROMIUM the browser that draws the pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
pyrometer=${PYROMETER:-./pyrometer}
browser=${CHROMIUM:-chromium}
data=analysis/src/test/resources/published
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

factors=nodes,isPartionAware,cacheIsPartioned,isPerstistent,cacheSize,cpuCores
awk -F, 'BEGIN { OFS = "," } $1 == 7 { $9 = 55000 } { print }' \
  "$data/factorial-per-client.csv" > "$work/factorial-run-7-replaced.csv"

scaling=(analyse "$data/single-host-scaling.csv" --response throughput --unit bytes/s --against nodes --scale plain)
client=(analyse "$data/factorial-per-client.csv" --response throughput --unit ops/s --factors "$factors" --trial experiment --scale plain)
total=("${client[@]}" --rows sum)
replaced=("${client[@]}")
replaced[1]="$work/factorial-run-7-replaced.csv"

# Findings, or one section, of a page in Markdown.
findings() { awk '/^## / { exit } /^- / { print }' "$work/$1/report.md"; }
section() { awk -v title="## $2" '$0 == title { on = 1; next } /^## / { on = 0 } on' "$work/$1/report.md" | cat -s; }
command_line() { printf '```\n./pyrometer %s\n```\n' "${*//"$work/"/}"; }
# Chart number $2 of a page, as it was drawn in a browser.
picture() {
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --blink-settings=preferredColorScheme=1 --virtual-time-budget=8000 \
    --user-data-dir="$work/profile" --window-size=1080,900 \
    --dump-dom "file://$work/$1/report.html" 2> "$work/browser.log" | tr '\n' ' ' \
    | grep -oP "data-option=\"$2\".*?\K<svg .*?</svg>" | head -1 \
    | sed -E 's|>|><rect width="100%" height="100%" fill="#ffffff"/>|' > "docs/images/$3.svg"
  test -s "docs/images/$3.svg"
}

"$pyrometer" "${scaling[@]}" --out "$work/scaling" > /dev/null
"$pyrometer" "${client[@]}" --out "$work/client" > /dev/null
"$pyrometer" "${total[@]}" --out "$work/total" > /dev/null
"$pyrometer" "${replaced[@]}" --out "$work/replaced" > /dev/null

mkdir -p docs/images
picture scaling 0 published-scaling
picture client 0 published-effects
picture client 1 published-half-normal
picture total 4 published-total

{
  cat <<'TEXT'
# Published figures, analysed again

What Pyrometer says of the figures of a published study of Apache Ignite's scalability: one
experiment with 1 to 20 nodes on one host, and one with six factors in 16 runs on several hosts.
The data lie in `analysis/src/test/resources/published`. This page is written by
`docs/published-figures.sh`; do not edit it.

## Nodes on a single host

The study fitted the scalability law and published λ = 46474.3471, σ = 2.1091123 and
κ = 0.0774972, and found no reading for a σ above 1.

TEXT
  command_line "${scaling[@]}"
  echo
  findings scaling
  printf '\n![Throughput against nodes with the fitted model](images/published-scaling.svg)\n'
  section scaling "The models"
  printf '### Beyond the measured\n'
  section scaling "Beyond the measured"
  cat <<'TEXT'
The law gives the published λ, σ and κ back, to all digits shown. With σ above 1 there is no N*: the
law is the same curve as a hop, where a request costs h = σ−1 more when its key lives on another
node, and N = 1 is the maximum. On one host, every further node only adds hops. The model that wins
has the same hop and takes the same amount from throughput for each further node.

## Six factors in 16 runs

The fraction has E = AB and F = CD (A nodes, B isPartionAware, C cacheIsPartioned, D isPerstistent,
E cacheSize, F cpuCores; the names are the study's). The study allocated the variation of the mean
throughput of a client.

TEXT
  command_line "${client[@]}"
  echo
  findings client
  printf '\n![Effects by size](images/published-effects.svg)\n\n![Effects against half-normal quantiles](images/published-half-normal.svg)\n'
  printf '\n### Allocation of variation, per client\n'
  section client "Allocation of variation"
  printf '### The design\n'
  section client "The design"
  cat <<'TEXT'
## The same on the cluster's total

The clients of one trial add up to what the cluster did. There were as many clients as nodes, so a
client's mean hides the nodes' effect.

TEXT
  command_line "${total[@]}"
  echo
  findings total
  printf '\n![What the variation of the total is due to](images/published-total.svg)\n'
  section total "Allocation of variation"
  cat <<'TEXT'
## If run 7 had behaved as configured

Run 7 was to be partition-aware on a partitioned cache, and did as unaware runs do. With 55,000
ops/s in its place, as the other runs make one expect, the picture is clear; the run has to be
repeated before anyone relies on it.

TEXT
  command_line "${replaced[@]}"
  echo
  findings replaced
  echo
  section replaced "Allocation of variation"
} > docs/published-figures.md
