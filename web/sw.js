// The service worker of the static files: the page works without a network after the first visit. Each build has a cache of its own,
// filled before the build is used; models, whose names change with their content, have one for all builds.

/** `index`: the hash of index.html; `files` of the page; all `models`, of which the `first` are kept at the first visit. */
const BUILD = { index: '', files: [], first: [], models: [] }; // web/build writes this line.
// Other pages of the same host have caches too.
const OWN = `mineflow ${registration.scope} `;
const PAGE = OWN + BUILD.index;
const MODELS = `${OWN}models`;

async function install() {
  const [page, models] = await Promise.all([PAGE, MODELS].map((name) => caches.open(name)));
  // The hash refuses the index.html of another build, which the server or its caches may still give, or give already.
  await page.put('./', await fetch('./', { cache: 'reload', integrity: BUILD.index }));
  await page.addAll(BUILD.files);
  for (const model of BUILD.first) if (!(await models.match(model))) await models.add(model);
}

/** Removes what no page uses any more. */
async function clean() {
  for (const name of await caches.keys()) if (name.startsWith(OWN) && name !== PAGE && name !== MODELS) await caches.delete(name);
  const models = await caches.open(MODELS);
  const known = BUILD.models.map((model) => registration.scope + model);
  for (const { url } of await models.keys()) if (!known.includes(url)) await models.delete(url);
  await clients.claim();
}

async function answer({ mode, url }) {
  // A new build waits until no page of this one is open. Loading the last of them again is the time for it.
  if (mode === 'navigate' && registration.waiting && (await clients.matchAll()).length < 2) {
    registration.waiting.postMessage('start');
    return new Response('<link rel="icon" href="data:,"><script>setTimeout(() => location.reload(), 100)</script>', { headers: { 'Content-Type': 'text/html' } });
  }
  const file = url.split(/[?#]/)[0].slice(registration.scope.length).replace(/^index\.html$/, '');
  const kept = await (await caches.open(file.startsWith('models/') ? MODELS : PAGE)).match(file || './');
  if (kept) return kept;
  const response = await fetch(url);
  if (response.ok && BUILD.models.includes(file)) await (await caches.open(MODELS)).put(file, response.clone());
  return response;
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(clean()));
addEventListener('message', () => skipWaiting());
addEventListener('fetch', (event) => event.request.method === 'GET' && event.request.url.startsWith(registration.scope) && event.respondWith(answer(event.request)));
