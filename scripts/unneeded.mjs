// Files of installed packages that no program of Kontor opens. They are most of a user's installation: docs/decisions/0104-packages-images-and-size.md.
import fs from 'node:fs'
import path from 'node:path'

const weights = (kept) => `(?!(?:${kept.join('|')})/)\\d{3}[^/]*/`

/** By path in node_modules. A test demands that each of them exists, so that an update of a package is noticed. */
export const unneeded = ({ platform, arch } = process) => [
  {
    files: new RegExp(`^onnxruntime-node/bin/napi-v\\d+/(?!${platform}/${arch}/)`),
    because: 'the package has the libraries of five platforms; one is loaded',
  },
  {
    files: /^tesseract\.js-core\/.*(\.wasm\.js$|(core|simd)\.(js|wasm)$)/,
    because: 'builds for browsers, and for models of an older kind: ours are LSTM',
  },
  {
    files: /^@embedpdf\/fonts-sc\/fonts\/NotoSansHans-(Light|DemiLight|Medium)\.otf$/,
    because: 'prints have regular and bold',
  },
  {
    files: new RegExp(`^@expo-google-fonts/(?!heebo/)[^/]+/${weights(['400Regular', '700Bold'])}`),
    because: 'prints have regular and bold',
  },
  {
    files: new RegExp(`^@expo-google-fonts/heebo/${weights(['400Regular', '500Medium', '700Bold'])}`),
    because: 'prints have regular, medium and bold of this family',
  },
  {
    files: /^typescript\/lib\//,
    because:
      'a package can read settings written in TypeScript, and Kontor has none; npm installs it as we test with it',
  },
  { files: /\.[cm]?js\.map$/, because: 'only debuggers read source maps of packages' },
]

/** The files in a folder of packages that are not needed, by their path in it. */
function unneededIn(modules) {
  const rules = unneeded()
  return listFiles(modules).filter((file) => rules.some(({ files }) => files.test(file)))
}

/** Removes them. What is gone already, or may not be changed, stays as it is. */
export function removeUnneeded(modules) {
  for (const file of unneededIn(modules)) {
    try {
      fs.unlinkSync(path.join(modules, file))
    } catch {
      // The installation works as well with the file.
    }
  }
}

const listFiles = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
