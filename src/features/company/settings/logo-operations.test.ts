import sharp from 'sharp'
import { expect, test } from 'vitest'
import { member, operationNamed, type Someone, theApp } from '../../../test/world.ts'

const logo = operationNamed('settings_logo')
const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })

async function withLogo(width: number, height: number) {
  const amy = await member('MANAGER')
  const picture = sharp({ create: { width, height, channels: 4, background: '#0f6b57' } })
  const base64 = (await picture.jpeg().toBuffer()).toString('base64')
  const file = { fileName: 'logo.jpg', base64 }
  const { id: logoFileId } = await amy.call('organizations_file_upload', { file })
  await amy.call('settings_update', { ...at(amy), logoFileId })
  return amy
}

async function pictureOf(someone: Someone, query = '') {
  const url = `/api/organizations/${someone.organizationId}/logo${query}`
  const { rawPayload, headers } = await theApp().server.inject({
    method: 'GET',
    url,
    headers: { ...someone.credentials },
  })
  const { width, height, format } = await sharp(rawPayload).metadata()
  return { width, height, format, headers }
}

test('a logo is read in sizes, as PNG that a browser keeps, by every member', async () => {
  const amy = await withLogo(600, 300)
  const worker = await member('EMPLOYEE', { of: amy })
  const headers = { 'content-type': 'image/png', 'cache-control': 'private, max-age=86400' }
  expect(await pictureOf(worker, '?size=64')).toMatchObject({ width: 64, height: 32, format: 'png', headers })
  expect(await pictureOf(amy)).toMatchObject({ width: 512, height: 256, format: 'png' })
  expect(await pictureOf(amy, '?size=64')).toMatchObject({ width: 64 })
})

test('a small logo is not enlarged, another size is refused, and no logo is not found', async () => {
  const amy = await withLogo(20, 10)
  expect(await pictureOf(amy, '?size=256')).toMatchObject({ width: 20, height: 10 })
  expect(await amy.request(logo, { ...at(amy), size: 65 })).toMatchObject({ status: 400 })
  const eve = await member('OWNER')
  expect(await eve.request(logo, at(amy))).toMatchObject({ status: 404 })
  expect(await eve.request(logo, at(eve))).toMatchObject({ status: 404 })
})
