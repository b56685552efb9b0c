// Joins the scripts that every page of the web app needs into one. esbuild splits what several screens share into dozens of small
// files, and a browser loads only six at a time from a server without HTTP/2.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Replaces the first script and all that it imports by one script, of which all others then import. Answers the metafile as it is
 * afterwards. Names end with the hash of the joined script, because every other script names it.
 */
export async function joinFrame({ esbuild, assets, metafile, first, frame }) {
  const joined = [...frame].map((file) => path.basename(file)).sort()
  const hash = createHash('sha256').update(joined.join()).digest('hex').slice(0, 8)
  const name = `main-${hash}.js`
  const others = Object.keys(metafile.outputs).filter((file) => !frame.has(file))
  const renamed = new Map(
    others.map((file) => [path.basename(file), path.basename(file).replace(/\.js$/, `-${hash}.js`)]),
  )
  const exportsOf = (file) => metafile.outputs[file].exports
  const entry = [...frame].map((file) => reexport(path.basename(file), exportsOf(file), joined)).join('\n')
  const { outputFiles } = await esbuild.build({
    stdin: { contents: entry, resolveDir: assets, loader: 'js' },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    legalComments: 'none',
    plugins: [external(renamed)],
  })
  for (const file of others) rewrite(path.join(assets, path.basename(file)), { name, joined, renamed })
  for (const file of joined) fs.rmSync(path.join(assets, file))
  fs.writeFileSync(path.join(assets, name), outputFiles[0].contents)
  return toMetafile({ metafile, first, frame, name, renamed })
}

/** Names in different scripts are the same short letters, so each gets the number of its script. */
const joinedName = (file, exported, joined) => `s${joined.indexOf(file)}_${exported}`

const reexport = (file, exported, joined) =>
  exported.length === 0
    ? `import './${file}'`
    : `export { ${exported.map((each) => `${each} as ${joinedName(file, each, joined)}`).join(', ')} } from './${file}'`

const external = (renamed) => ({
  name: 'other-scripts',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path: imported }) => {
      const other = renamed.get(imported.slice(2))
      return other ? { path: `./${other}`, external: true } : undefined
    })
  },
})

/** Lets a script import from the joined one, under the new names of the others. */
function rewrite(file, { name, joined, renamed }) {
  const text = fs
    .readFileSync(file, 'utf8')
    .replace(/import(?:\{([^{}]*)\}from)?"\.\/([\w.-]+\.js)"/g, (_, names, imported) => {
      if (!joined.includes(imported))
        return `import${names === undefined ? '' : `{${names}}from`}"./${renamed.get(imported)}"`
      if (names === undefined) return `import"./${name}"`
      const changed = names.split(',').map((each) => {
        const [exported, local = exported] = each.split(' as ')
        return `${joinedName(imported, exported, joined)} as ${local}`
      })
      return `import{${changed}}from"./${name}"`
    })
    .replace(/import\("\.\/([\w.-]+\.js)"\)/g, (_, imported) => `import("./${renamed.get(imported) ?? imported}")`)
  const left = joined.find((each) => text.includes(`"./${each}"`))
  if (left) throw new Error(`${path.basename(file)} still imports ${left}, which is joined into ${name}.`)
  fs.rmSync(file)
  fs.writeFileSync(path.join(path.dirname(file), renamed.get(path.basename(file))), text)
}

function toMetafile({ metafile: { inputs, outputs }, first, frame, name, renamed }) {
  const folder = path.dirname(first)
  const own = path.join(folder, name)
  const moved = (file) => (frame.has(file) ? own : path.join(folder, renamed.get(path.basename(file))))
  const imports = (file) => outputs[file].imports.map((each) => ({ ...each, path: moved(each.path) }))
  const joinedOutput = {
    entryPoint: outputs[first].entryPoint,
    imports: [...frame].flatMap(imports).filter(({ path: file }) => file !== own),
    inputs: Object.assign({}, ...[...frame].map((file) => outputs[file].inputs)),
  }
  const others = Object.keys(outputs).filter((file) => !frame.has(file))
  return {
    inputs,
    outputs: {
      [own]: joinedOutput,
      ...Object.fromEntries(others.map((file) => [moved(file), { ...outputs[file], imports: imports(file) }])),
    },
  }
}
