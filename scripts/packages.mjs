// Which packages the built server needs. The others of package.json are for building it, and for the web app.
import fs from 'node:fs'

/** Finds a package, or a file in one: `require.resolve('<package>/<file>')`, `createRequire(import.meta.url)('<package>')`. */
const lookups = /(?:\bresolve|\(import\.meta\.url\))\(\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)/g

/** The packages that bundles import, or look up at run time. `metafile` is that of esbuild; its outputs are written already. */
export function packagesOf({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  const imported = imports.filter(({ external }) => external).map(({ path }) => path)
  const bundles = Object.keys(outputs).filter((file) => file.endsWith('.js'))
  const packages = imported.map(packageOf).filter((name) => declared.includes(name)) // others are asked for, and done without
  return [...new Set([...packages, ...bundles.flatMap(lookedUpIn)])].sort()
}

function lookedUpIn(bundle) {
  const matches = fs.readFileSync(bundle, 'utf8').matchAll(lookups)
  const texts = [...matches].map(([, ...forms]) => forms.find(Boolean))
  return declared.filter((name) => texts.some((text) => mayName(text, name)))
}

/** Whether the path of a file may be in the package. A template may be in every package that begins as it does. */
function mayName(text, name) {
  const fixed = text.split('${')[0]
  const isWhole = fixed === text || fixed.split('/').length > name.split('/').length
  return isWhole ? packageOf(fixed) === name : fixed.includes('/') && name.startsWith(fixed)
}

/** `@scope/name` or `name`. */
const packageOf = (path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

const { dependencies } = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const declared = Object.keys(dependencies)
