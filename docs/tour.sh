#!/usr/bin/env bash
# Ten minutes with MACE Memory, as README.md shows them. Run it in the folder where `npm start` runs in another
# terminal. MACE_URL is the service's address, by default http://127.0.0.1:3000.
set -euo pipefail

# The first request that fails ends the tour, which says what the service answered.
curl() {
  local call=$* answer
  answer=$(command curl -sS -w '\n%{http_code}' "$@") || answer=$'\nno answer'
  local status=${answer##*$'\n'} body=${answer%$'\n'*}
  if [[ $status == 2* ]]; then printf '%s' "$body"; return; fi
  call=${call#-s } # the address comes first
  printf '\nThe tour stops at %s: %s\n%s\n' "${call%% *}" "$status" "$body" >&2
  [[ $body == *JOB_EXISTS* ]] && echo 'The tour has run on this data directory before. Start the service with another MACE_DATA_DIR to repeat it.' >&2
  exit 1
}

# An agent remembers.
export MACE_URL=${MACE_URL:-http://127.0.0.1:3000}
AGENT=$(npm run --silent token -- --role agent --sub agent-1)
post() { curl -s "$MACE_URL/v1/$1" -H "Authorization: Bearer ${3:-$AGENT}" -H 'Content-Type: application/json' -d "$2"; echo; }

post remember '{"said": "I am allergic to peanuts. What can I cook?", "user_id": "ada"}'
post recall '{"query": "which nuts", "user_id": "ada"}'

# An agent works in steps.
post jobs '{"job_seed": "hello-1", "goal": "Learn a colour"}'
post jobs/hello-1/wm '{"type": "fact", "value": "the colour is cerulean"}'
post jobs/hello-1/wm/wm:hello-1:1/references '{}'
post jobs/hello-1/wm/wm:hello-1:1/references '{}'
post jobs/hello-1/ticks '{}'
post jobs/hello-1/end '{}'
post episodes/query '{"query_terms": "cerulean"}'

# The council decides.
field() { node -pe "JSON.parse(fs.readFileSync(0)).$1"; }
FOUND=$(post episodes/query '{"query_terms": "cerulean"}')
EPISODE=$(field 'results[0].episodic_id' <<<"$FOUND")
REQUEST=$(post action-requests "{\"episodic_id\": \"$EPISODE\", \"target_sem_key\": \"world/colour/sky/name\", \"value\": \"cerulean\", \"justification\": \"It was said.\"}")
COUNCIL=$(npm run --silent token -- --role council --sub council-1)
post action-requests/$(field request_id <<<"$REQUEST")/votes \
  "{\"vote\": \"approve\", \"reason\": \"Harmless.\", \"proposal_hash\": \"$(field proposal_hash <<<"$REQUEST")\"}" $COUNCIL
curl -s $MACE_URL/v1/sem/world/colour/sky/name -H "Authorization: Bearer $AGENT"; echo

# An auditor proves it.
npx mace replay hello-1
npx mace export hello-1 --out bundles
curl -s $MACE_URL/.well-known/jwks.json > bundles/keys.json
npx mace verify bundles/*.ndjson --key bundles/keys.json --ended
