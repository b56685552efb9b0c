import { expect, test } from 'vitest'
import { send } from '../test/world.ts'

test.each(['/health', '/ready'])('%s answers GET, and HEAD without the body', async (url) => {
  expect(await send({ method: 'GET', url })).toMatchObject({ status: 200, body: { status: expect.any(String) } })
  expect(await send({ method: 'HEAD', url })).toMatchObject({ status: 200, body: '' })
})

test.each(['/api/customers', '/api/organizations', '/api/auth/session'])('HEAD %s is no address', async (url) => {
  expect((await send({ method: 'HEAD', url })).status).toBe(404)
})
