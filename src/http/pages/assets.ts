import type { FastifyInstance } from 'fastify'
import { consentScript } from '../oauth/consent-script.ts'
import { referenceScript } from '../reference/script.ts'
import { fontFaces } from '../web-app/files.ts'
import { accountPageScript } from './account/account-page-script.ts'
import { passkeyScript } from './account/passkey-script.ts'
import { documentScript } from './document/script.ts'
import { documentStyle } from './document/style.ts'
import { formScript } from './form-script.ts'
import { formStyle } from './form-style.ts'
import { landingScript } from './landing/script.ts'
import { type Assets, icon } from './page.ts'
import { published, send } from './publish.ts'
import { style } from './style.ts'

/** Serves the style sheet, the icon and the scripts of all pages. Their names contain a hash, so browsers cache them forever. */
export function mountAssets(app: FastifyInstance, web: string): Assets {
  const mount = (name: string, extension: 'css' | 'js' | 'svg', text: string) => {
    const asset = published(extension, text)
    const path = `/assets/${name}-${asset.hash}.${extension}`
    app.get(path, { config: { open: true }, exposeHeadRoute: true }, (request, reply) =>
      send(request, reply, asset, 'public, max-age=31536000, immutable'),
    )
    return path
  }
  return {
    style: mount('kontor', 'css', fontFaces(web) + style + formStyle + documentStyle),
    icon: mount('kontor', 'svg', icon),
    reference: mount('reference', 'js', referenceScript),
    landing: mount('landing', 'js', landingScript),
    consent: mount('consent', 'js', consentScript),
    document: mount('document', 'js', `(() => {${formScript}${documentScript}})()\n`),
    forms: mount('forms', 'js', `(() => {${formScript}${passkeyScript}${accountPageScript}})()\n`),
  }
}
