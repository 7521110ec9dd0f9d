# Ten minutes with MACE Memory, as README.md shows them: paste this into a shell, in the folder where
# `npm start` runs in another one.

# An agent remembers.
AGENT=$(npm run --silent token -- --role agent --sub agent-1)
post() { curl -s "http://127.0.0.1:3000/v1/$1" -H "Authorization: Bearer ${3:-$AGENT}" -H 'Content-Type: application/json' -d "$2"; echo; }

post jobs '{"job_seed": "hello-1", "goal": "Learn a colour"}'
post jobs/hello-1/wm '{"type": "fact", "value": "the colour is cerulean"}'
post jobs/hello-1/wm/wm:hello-1:1/references '{}'
post jobs/hello-1/wm/wm:hello-1:1/references '{}'
post jobs/hello-1/ticks '{}'
post jobs/hello-1/end '{}'
post episodes/query '{"query_terms": "cerulean"}'

# The council decides.
field() { node -pe "JSON.parse(fs.readFileSync(0)).$1"; }
EPISODE=$(post episodes/query '{"query_terms": "cerulean"}' | field 'results[0].episodic_id')
REQUEST=$(post action-requests "{\"episodic_id\": \"$EPISODE\", \"target_sem_key\": \"world/colour/sky/name\", \"value\": \"cerulean\", \"justification\": \"It was said.\"}")
COUNCIL=$(npm run --silent token -- --role council --sub council-1)
post action-requests/$(field request_id <<<"$REQUEST")/votes \
  "{\"vote\": \"approve\", \"reason\": \"Harmless.\", \"proposal_hash\": \"$(field proposal_hash <<<"$REQUEST")\"}" $COUNCIL
curl -s http://127.0.0.1:3000/v1/sem/world/colour/sky/name -H "Authorization: Bearer $AGENT"; echo

# An auditor proves it.
npx mace replay hello-1
npx mace export hello-1 --out bundles
curl -s http://127.0.0.1:3000/.well-known/jwks.json > bundles/keys.json
npx mace verify bundles/*.ndjson --key bundles/keys.json --ended
