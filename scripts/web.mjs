// Builds the web app: scripts by esbuild, the style by Tailwind's compiler, both with names that contain a hash.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { root } from './program.mjs'
import { joinFrame } from './web-frame.mjs'

const web = path.join(root, 'web')
const browsers = ['chrome123', 'firefox128', 'safari17.5'] // the versions of the last two years
const require = createRequire(import.meta.url)

/** Every file that the web app is built from and by; docs/openapi.json contains the schemas of its generated forms. Tests and the kit are not. */
export const webSources = () => [
  'scripts/web.mjs',
  'scripts/web-frame.mjs',
  'docs/openapi.json',
  ...filesUnder(web)
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => path.relative(root, file))
    .filter((file) => !/^web[/\\](test|kit)[/\\]/.test(file)),
]

/** Builds into `out`: index.html, assets/, and beside each asset its compressed forms. Answers the metafile of esbuild. */
export async function buildWeb({ esbuild, out, entry = 'src/main.tsx' }) {
  const assets = path.join(out, 'assets')
  fs.mkdirSync(assets, { recursive: true })
  const [style, metafile] = await Promise.all([
    buildStyle({ esbuild, assets, entry }),
    buildScripts({ esbuild, assets, entry }),
  ])
  const icon = addAsset(assets, path.join(web, 'public/icon.svg'))
  const script = `/assets/${path.basename(outputOf(metafile, entry))}`
  const hasFirstFrame = entry === 'src/main.tsx'
  const head = [
    hasFirstFrame ? `<link rel="modulepreload" href="${script}">` : `<script type="module" src="${script}"></script>`,
    ...(hasFirstFrame ? [await buildFirstFrame(esbuild)] : []), // before the style, for which scripts wait
    `<link rel="icon" href="${icon}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${style}">`,
  ].join('\n')
  const page = fs.readFileSync(path.join(web, 'index.html'), 'utf8').replace('<!-- assets -->', () => head)
  fs.writeFileSync(path.join(out, 'index.html'), page)
  fs.writeFileSync(path.join(out, 'preloads.json'), JSON.stringify(preloadsOf(metafile, entry)))
  await compressAll(out)
  return metafile
}

/** The script inside the page, which starts the first one. The server allows it by its hash. */
async function buildFirstFrame(esbuild) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(web, 'src/first-frame.ts')],
    bundle: true,
    format: 'iife',
    target: browsers,
    minify: true,
    write: false,
    legalComments: 'none',
  })
  return `<script>${outputFiles[0].text.trim()}</script>`
}

/** The first screens of a day, by what follows the organization in their address. */
const firstScreens = { '': 'dashboard/dashboard.tsx', documents: 'documents/list/list.tsx' }

/** For each of them the scripts that are needed besides the first one. */
function preloadsOf(metafile, entry) {
  const first = outputOf(metafile, entry)
  const needed = (screen) => [...initialFiles(metafile, outputOf(metafile, `src/screens/${screen}`))]
  if (!outputOf(metafile, 'src/screens/dashboard/dashboard.tsx')) return {} // the kit has no screens
  return Object.fromEntries(
    Object.entries(firstScreens).map(([address, screen]) => [
      address,
      needed(screen)
        .filter((file) => file !== first)
        .map((file) => `/assets/${path.basename(file)}`),
    ]),
  )
}

/** The script that a source file is built into. */
export const outputOf = ({ outputs }, source) =>
  Object.keys(outputs).find((file) => outputs[file].entryPoint === `web/${source}`)

/** The files that the browser loads before it runs the given one: what it imports statically, and so on. */
export function initialFiles({ outputs }, file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const { kind, path: imported, external } of outputs[file].imports) {
    if (kind === 'import-statement' && !external) initialFiles({ outputs }, imported, found)
  }
  return found
}

async function buildScripts({ esbuild, assets, entry }) {
  const { metafile } = await esbuild.build({
    entryPoints: [path.join(web, entry)],
    outdir: assets,
    absWorkingDir: root,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    target: browsers,
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [twoLanguages, noLanguageCheck, operationSchemas],
  })
  const first = outputOf(metafile, entry)
  return joinFrame({ esbuild, assets, metafile, first, frame: frameOf(metafile, first) })
}

/** What every page needs, and what the dashboard shares with other screens: so few bytes that another file would cost more. */
function frameOf(metafile, first) {
  const frame = initialFiles(metafile, first)
  const dashboard = outputOf(metafile, 'src/screens/dashboard/dashboard.tsx')
  if (!dashboard) return frame
  const shared = [...initialFiles(metafile, dashboard)].filter((file) => file !== dashboard)
  return new Set([...frame, ...shared])
}

/** React Aria asks whether the browser knows its own language, which loads all languages: tens of milliseconds of the first script. */
const noLanguageCheck = {
  name: 'no-language-check',
  setup(build) {
    build.onLoad({ filter: /i18n[/\\]useDefaultLocale\.mjs$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8')
      const contents = source.replace('Intl.DateTimeFormat.supportedLocalesOf(', 'Intl.getCanonicalLocales(')
      if (contents === source) throw new Error(`${file} does not check the language any more; leave this out.`)
      return { contents, loader: 'js' }
    })
  },
}

/** Of the words that React Aria says by itself, the two languages of the app are kept. */
const twoLanguages = {
  name: 'two-languages',
  setup(build) {
    build.onLoad({ filter: /react-(aria|stately)[/\\].*[/\\][a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path: file }) =>
      /(en-US|he-IL)\.mjs$/.test(file) ? undefined : { contents: 'export default undefined', loader: 'js' },
    )
  },
}

/** `kontor:schemas` loads the input schemas of one feature's operations: `schemas.orders()`. One chunk per feature. */
const operationSchemas = {
  name: 'operation-schemas',
  setup(build) {
    const byFeature = readSchemas()
    build.onResolve({ filter: /^kontor:schemas/ }, ({ path: name }) => ({ path: name, namespace: 'kontor' }))
    build.onLoad({ filter: /^kontor:schemas$/, namespace: 'kontor' }, () => ({
      contents: `export const schemas = {${Object.keys(byFeature).map((name) => `${JSON.stringify(name)}: () => import('kontor:schemas/${name}')`)}}`,
    }))
    build.onLoad({ filter: /^kontor:schemas\//, namespace: 'kontor' }, ({ path: name }) => ({
      contents: JSON.stringify(byFeature[name.split('/').at(-1)]),
      loader: 'json',
    }))
  },
}

/** The input schema of every operation by feature, with references resolved and texts for people kept. */
function readSchemas() {
  const { paths, components } = JSON.parse(fs.readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'))
  const byFeature = {}
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods)) {
      const feature = operation.operationId.split('_')[0]
      byFeature[feature] ??= {}
      byFeature[feature][operation.operationId] = inputSchema(operation, components)
    }
  }
  return byFeature
}

function inputSchema({ summary, parameters = [], requestBody }, { schemas }) {
  const body = requestBody?.content?.['application/json']?.schema ?? { properties: {}, required: [] }
  const resolved = body.$ref ? schemas[body.$ref.split('/').at(-1)] : body
  const named = parameters.filter(({ in: place }) => place === 'path' || place === 'query')
  return {
    summary,
    properties: {
      ...Object.fromEntries(named.map(({ name, schema, description }) => [name, { description, ...schema }])),
      ...resolved.properties,
    },
    required: [...named.filter(({ required }) => required).map(({ name }) => name), ...(resolved.required ?? [])],
  }
}

/** The style sheet, compiled for the classes that the sources name. */
async function buildStyle({ esbuild, assets, entry }) {
  const { compile } = await import('tailwindcss')
  const from = path.join(web, 'src/app.css')
  const { build } = await compile(fs.readFileSync(from, 'utf8'), {
    base: path.dirname(from),
    loadStylesheet: async (id, base) => {
      const file = id.startsWith('.') ? path.resolve(base, id) : require.resolve(id)
      return { path: file, base: path.dirname(file), content: fs.readFileSync(file, 'utf8') }
    },
  })
  const text = build([...wordsOfSources(entry)]).replace(
    /url\("\/fonts\/([\w-]+\.woff2)"\)/g,
    (_, name) => `url("${addAsset(assets, path.join(web, 'public/fonts', name))}")`,
  )
  const { code } = await esbuild.transform(text, { loader: 'css', minify: true, target: browsers })
  return addAsset(assets, 'app.css', code)
}

/** Every word of the sources that could be a class; Tailwind ignores the others. */
function wordsOfSources(entry) {
  const words = new Set()
  const folders = new Set(['src', path.dirname(entry)].map((folder) => path.join(web, folder)))
  for (const file of [...folders].flatMap(filesUnder).filter((name) => /\.tsx?$/.test(name))) {
    for (const [word] of fs.readFileSync(file, 'utf8').matchAll(/[^\s"'`<>{}$]+/g)) words.add(word)
  }
  return words
}

/** Writes an asset under a name with the hash of its content and answers its address. */
function addAsset(assets, file, content = fs.readFileSync(file)) {
  const { name, ext } = path.parse(file)
  const hash = createHash('sha256').update(content).digest('base64url').replace(/[_-]/g, '').slice(0, 8)
  const asset = `${name}-${hash}${ext}`
  fs.writeFileSync(path.join(assets, asset), content)
  return `/assets/${asset}`
}

/** Compressed when built, so that the server only sends. Fonts are compressed already. */
async function compressAll(folder) {
  const files = filesUnder(folder).filter((file) => /\.(js|css|svg|html)$/.test(file))
  const compress = async (file) => {
    const content = fs.readFileSync(file)
    fs.writeFileSync(`${file}.gz`, await promisify(zlib.gzip)(content, { level: 9 }))
    fs.writeFileSync(`${file}.br`, await promisify(zlib.brotliCompress)(content, brotliFor(content)))
  }
  await Promise.all(files.map(compress))
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MIN_WINDOW_BITS, BROTLI_MAX_WINDOW_BITS } = zlib.constants

/** With a window as large as the content: allocating the usual 4 MB for each file would take longer than compressing it. */
function brotliFor({ length }) {
  const bits = Math.ceil(Math.log2(length + 16)) // 16 bytes of the window are not used
  const window = Math.min(BROTLI_MAX_WINDOW_BITS, Math.max(BROTLI_MIN_WINDOW_BITS, bits))
  return { params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: window } }
}

const filesUnder = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
