import { expect, onTestFinished, test } from 'vitest'
import { send, theApp } from '../../test/world.ts'

test.each(['/health', '/ready'])('%s answers GET, and HEAD without the body', async (url) => {
  expect(await send({ method: 'GET', url })).toMatchObject({ status: 200, body: { status: expect.any(String) } })
  expect(await send({ method: 'HEAD', url })).toMatchObject({ status: 200, body: '' })
})

test('FLT-16: a process that is about to stop is alive and no longer ready', async () => {
  const { server } = theApp()
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

test.each(['/api/customers', '/api/organizations', '/api/auth/session'])('HEAD %s is no address', async (url) => {
  expect((await send({ method: 'HEAD', url })).status).toBe(404)
})
