import { expect, onTestFinished, test } from 'vitest'
import { send, theApp } from '../../test/world.ts'

test.each(['/health', '/ready'])('%s answers GET, and HEAD without a body', async (url) => {
  expect(await send({ method: 'GET', url })).toMatchObject({ status: 200, body: { status: expect.any(String) } })
  expect(await send({ method: 'HEAD', url })).toMatchObject({ status: 200, body: '' })
})

test('FLT-16: a process that is about to stop is alive but not ready', async () => {
  const { server } = theApp()
  expect((await send({ method: 'GET', url: '/ready' })).status).toBe(200)
  server.draining = true
  onTestFinished(() => {
    server.draining = false
  })
  expect(await send({ method: 'GET', url: '/ready' })).toMatchObject({
    status: 503,
    body: { status: 'not ready', reason: 'the process is stopping' },
  })
  expect(await send({ method: 'GET', url: '/health' })).toMatchObject({ status: 200 })
})

test.each(['/api/customers', '/api/organizations', '/api/auth/session'])('HEAD is not available at %s', async (url) => {
  expect((await send({ method: 'GET', url })).status).toBe(401)
  expect((await send({ method: 'HEAD', url })).status).toBe(404)
})
