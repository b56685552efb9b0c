import '../../../test/own-world.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { type App, createApp } from '../../../program/app.ts'
import { member, send, testConfig, theApp, theDatabase } from '../../../test/world.ts'

let closed: App
beforeAll(async () => {
  closed = await createApp(testConfig({ KONTOR_SIGN_UP: 'closed' }), theDatabase())
  return () => closed.close()
})

const newcomer = (email = `${newId()}@example.test`) => ({ name: 'Amy', email, password: 'correct horse' })

async function signUp(body: object) {
  const answer = await closed.server.inject({ method: 'POST', url: '/api/auth/sign-up', payload: body })
  return { status: answer.statusCode, body: answer.json() }
}

const refused = { status: 403, body: { error: { code: 'FORBIDDEN', details: [{ code: 'SIGN_UP_CLOSED' }] } } }

test('if sign-up is closed, an account is refused, whether the address has one or not', async () => {
  const body = newcomer()
  expect(await signUp(body)).toMatchObject(refused)
  expect((await send({ method: 'POST', url: '/api/auth/sign-up', body })).status).toBe(201) // at the open one
  expect(await signUp(body)).toMatchObject(refused)
})

test('an invited person makes an account with the invited address, in any case, and joins', async () => {
  const amy = await member('OWNER')
  const email = `${newId()}@example.test`
  const invited = { id: amy.organizationId ?? '', email, role: 'VIEWER' as const }
  await amy.call('users_invitations_post', invited)
  expect(await signUp(newcomer())).toMatchObject(refused)
  expect(await signUp(newcomer(email.toUpperCase()))).toMatchObject({ status: 201 })
})

test('an invitation that has expired or was accepted makes no account', async () => {
  const amy = await member('OWNER')
  for (const change of [{ expiresAt: sql<string>`now() - interval '1 second'` }, { acceptedAt: sql<string>`now()` }]) {
    const email = `${newId()}@example.test`
    const { id } = await amy.call('users_invitations_post', { id: amy.organizationId ?? '', email, role: 'VIEWER' })
    await theApp().system.use((db) => db.updateTable('invitations').set(change).where('id', '=', id).execute())
    expect(await signUp(newcomer(email))).toMatchObject(refused)
  }
})

test('the pages of a closed installation offer no sign-up, except to people with an invitation', async () => {
  const pageOf = async (app: App, url: string) => (await app.server.inject({ url })).body
  for (const lang of ['en', 'he']) {
    for (const path of [`/?lang=${lang}`, `/sign-in?lang=${lang}`]) {
      expect(await pageOf(theApp(), path)).toMatch(/sign-up/)
      expect(await pageOf(closed, path)).not.toMatch(/(action|href)="[^"]*sign-up/)
    }
    const invited = `/sign-in?lang=${lang}&next=%2Finvitations%2Faccept`
    expect(await pageOf(closed, invited)).toMatch(/href="\/sign-up\?/)
  }
  const sentence = 'Accounts are made for invited people only.'
  expect(await pageOf(theApp(), '/sign-up')).not.toContain(sentence)
  expect(await pageOf(closed, '/sign-up')).toContain(sentence)
})

test('KONTOR_SIGN_UP is open or closed, and open by default', () => {
  expect(testConfig().signUp).toBe('open')
  expect(() => testConfig({ KONTOR_SIGN_UP: 'no' })).toThrow('KONTOR_SIGN_UP must be one of open, closed; it is "no".')
})
