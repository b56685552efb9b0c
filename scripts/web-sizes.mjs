// How large the built web app is, compressed as it is sent, and how large it may be.
import fs from 'node:fs'
import path from 'node:path'
import { initialFiles, outputOf } from './web.mjs'

/** In kB of 1,000 bytes. A screen waits for the program, the frame of all screens, itself and what it shows at once. */
const limits = {
  screens: { 'dashboard/dashboard.tsx': 190, 'documents/list/list.tsx': 200, 'automations/graph/canvas.tsx': 240 },
  furtherScreen: 40, // what another screen may add to the program, the frame and its menus, which are loaded by then
  style: 20,
  fonts: { English: 100, Hebrew: 135 },
}

/** The part of a screen that is loaded on its own and shown at once. */
const shownAtOnce = { 'automations/graph/canvas.tsx': 'automations/graph/graph-view.tsx' }

/** Every size of the web app in `folder`, beside its limit: `{ name, kB, limit }`. */
export function webSizes(metafile, folder) {
  const assets = path.join(folder, 'assets')
  const sent = (file) => fs.statSync(path.join(assets, `${path.basename(file)}.gz`)).size / 1000
  const sum = (files, of = sent) => round([...files].reduce((total, file) => total + of(file), 0))
  const frame = filesOf(metafile, 'main.tsx')
  const menus = new Set([...frame, ...filesOf(metafile, 'ui/overlays/menu-list.tsx')])
  const filesOfScreen = (screen) => [
    ...filesOf(metafile, `screens/${screen}`),
    ...(shownAtOnce[screen] ? filesOf(metafile, `screens/${shownAtOnce[screen]}`) : []),
  ]
  const added = (screen, to) => [...new Set(filesOfScreen(screen))].filter((file) => !to.has(file))
  const fonts = fs.readdirSync(assets).filter((file) => file.endsWith('.woff2'))
  const plain = (file) => fs.statSync(path.join(assets, file)).size / 1000
  return [
    ...Object.entries(limits.screens).map(([screen, limit]) => ({
      name: screen,
      kB: sum([...frame, ...added(screen, frame)]),
      limit,
    })),
    ...screensOf(metafile)
      .filter((screen) => !(screen in limits.screens))
      .map((screen) => ({
        name: `${screen}, beyond the frame`,
        kB: sum(added(screen, menus)),
        limit: limits.furtherScreen,
      })),
    { name: 'style', kB: sum(fs.readdirSync(assets).filter((file) => file.endsWith('.css'))), limit: limits.style },
    {
      name: 'fonts, English',
      kB: sum(
        fonts.filter((file) => file.includes('latin')),
        plain,
      ),
      limit: limits.fonts.English,
    },
    { name: 'fonts, Hebrew', kB: sum(fonts, plain), limit: limits.fonts.Hebrew },
  ]
}

/** The scripts that a source file needs before it runs. */
function filesOf(metafile, source) {
  const file = outputOf(metafile, `src/${source}`)
  if (!file) throw new Error(`The web app has no ${source} that is loaded on its own.`)
  return initialFiles(metafile, file)
}

/** The screens that have an address; other parts are loaded by a screen when they are opened. */
const screensOf = ({ inputs }) => {
  const loaded = inputs['web/src/routes.tsx'].imports.map(({ path: file }) => file)
  return [...new Set(loaded.flatMap((file) => /^web\/src\/screens\/(.+)/.exec(file)?.[1] ?? []))].sort()
}

const round = (kB) => Math.round(kB * 10) / 10
