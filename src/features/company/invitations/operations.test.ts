import '../../../test/own-world.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../../config/config.ts'
import { type Role, roles } from '../../../core/define/access.ts'
import { newId } from '../../../core/values/id.ts'
import { createApp } from '../../../program/app.ts'
import { queuedTo } from '../../../test/queued-mail.ts'
import { member, operationNamed, person, type Someone, testConfig, theApp, theDatabase } from '../../../test/world.ts'

const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })
const addressOf = ({ userId }: Someone) => `${userId}@example.test`

const invite = (by: Someone, email: string, role: Role = 'VIEWER') =>
  by.call('users_invitations_post', { ...at(by), email, role })

const system = (text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as Record<string, unknown>[])

const accept = async (who: Someone, { token = '' }: { token?: string | undefined }) =>
  who.call('users_invitation_accept', { token })

describe('an invitation', () => {
  test('is sent by mail with a link to this installation, and can be accepted with its token', async () => {
    const amy = await member('MANAGER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana), 'CONTRIBUTOR')
    expect(invited).toEqual({
      id: expect.any(String),
      organizationId: amy.organizationId,
      email: addressOf(dana),
      role: 'CONTRIBUTOR',
      status: 'PENDING',
      invitedBy: { id: amy.userId, name: 'MANAGER', email: addressOf(amy) },
      expiresAt: expect.any(String),
      acceptedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      token: expect.stringMatching(/^\w{43}$/),
    })
    expect(Date.parse(invited.expiresAt) - Date.parse(invited.createdAt)).toBe(7 * 24 * 3_600_000)
    const [mail] = await queuedTo(addressOf(dana))
    expect(mail).toMatchObject({ template: 'invitation', organizationId: amy.organizationId })
    expect(mail?.text).toContain(`${theApp().services.installation.url}/invitations/accept?token=${invited.token}`)
    expect(await accept(dana, invited)).toEqual({
      organization: { id: amy.organizationId, name: 'Acme', country: 'SG', currency: 'SGD' },
      role: 'CONTRIBUTOR',
    })
    expect(await dana.call('customers_list', { organizationId: amy.organizationId ?? '' })).toMatchObject({
      customers: [],
    })
    expect((await amy.call('users_invitations', at(amy))).invitations).toMatchObject([{ status: 'ACCEPTED' }])
  })

  test('is written in the language of the organization', async () => {
    const amy = await member('MANAGER')
    await amy.call('settings_update', { ...at(amy), language: 'he' })
    const email = `${newId()}@example.test`
    await invite(amy, email)
    const [mail] = await system('select subject from mail_deliveries where "to" = $1', [email])
    expect(mail?.subject).toBe('הזמנה מאת MANAGER להצטרף אל Acme')
  })

  test('SEC: stores only the hash of its token, and no list shows it', async () => {
    const amy = await member('MANAGER')
    const { token = '' } = await invite(amy, `${newId()}@example.test`)
    expect(JSON.stringify(await amy.call('users_invitations', at(amy)))).not.toContain(token)
    expect(JSON.stringify(await system('select * from invitations'))).not.toContain(token)
    expect(JSON.stringify(await system('select * from audit_log'))).not.toContain(token)
  })

  test('can be accepted again with the same answer and no further effect', async () => {
    const amy = await member('OWNER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana))
    const answers = await Promise.all([accept(dana, invited), accept(dana, invited), accept(dana, invited)])
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await amy.call('users_members', at(amy))).members).toHaveLength(2)
    expect((await amy.call('users_notifications')).notifications.map(({ text }) => text)).toEqual([
      'Dana joined Acme as a viewer.',
    ])
  })

  test('to the same address replaces the pending one, whose token becomes invalid', async () => {
    const amy = await member('OWNER')
    const dana = await person('Dana')
    const first = await invite(amy, addressOf(dana), 'VIEWER')
    const second = await invite(amy, addressOf(dana).toUpperCase(), 'MANAGER')
    expect(second).toMatchObject({ id: first.id, role: 'MANAGER' })
    expect((await amy.call('users_invitations', at(amy))).invitations).toHaveLength(1)
    await expect(accept(dana, first)).rejects.toMatchObject({ status: 404 })
    expect(await accept(dana, second)).toMatchObject({ role: 'MANAGER' })
  })

  test('that was withdrawn is not found', async () => {
    const amy = await member('MANAGER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana))
    const named = { ...at(amy), invitationId: invited.id }
    expect(await amy.call('users_invitation_delete', named)).toEqual({ success: true })
    await expect(accept(dana, invited)).rejects.toMatchObject({ status: 404 })
    await expect(amy.call('users_invitation_delete', named)).rejects.toMatchObject({ status: 404 })
  })

  test('that was accepted cannot be withdrawn', async () => {
    const amy = await member('MANAGER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana))
    await accept(dana, invited)
    const taking = amy.call('users_invitation_delete', { ...at(amy), invitationId: invited.id })
    await expect(taking).rejects.toMatchObject({ status: 409, details: [{ code: 'ACCEPTED' }] })
  })

  test('that has expired is refused with a sentence, and can be renewed', async () => {
    const amy = await member('MANAGER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana))
    await system("update invitations set expires_at = now() - interval '1 second' where id = $1", [invited.id])
    await expect(accept(dana, invited)).rejects.toMatchObject({ status: 409, details: [{ code: 'EXPIRED' }] })
    expect((await amy.call('users_invitations', at(amy))).invitations).toMatchObject([{ status: 'EXPIRED' }])
    expect(await accept(dana, await invite(amy, addressOf(dana)))).toMatchObject({ role: 'VIEWER' })
  })

  test('gives no role above the present role of its sender', async () => {
    const amy = await member('OWNER')
    const bob = await member('OWNER', { of: amy })
    const dana = await person('Dana')
    const invited = await invite(bob, addressOf(dana), 'OWNER')
    await amy.call('users_member_update', { ...at(amy), userId: bob.userId, role: 'MANAGER' })
    const refused = { status: 409, details: [{ code: 'WITHDRAWN' }] }
    await expect(accept(dana, invited)).rejects.toMatchObject(refused)
    await amy.call('users_member_delete', { ...at(amy), userId: bob.userId })
    await expect(accept(dana, invited)).rejects.toMatchObject(refused)
  })

  test('does not readmit a member who was removed after accepting it', async () => {
    const amy = await member('OWNER')
    const dana = await person('Dana')
    const invited = await invite(amy, addressOf(dana))
    await accept(dana, invited)
    await amy.call('users_member_delete', { ...at(amy), userId: dana.userId })
    await expect(accept(dana, invited)).rejects.toMatchObject({ status: 409, details: [{ code: 'USED' }] })
    expect(await accept(dana, await invite(amy, addressOf(dana)))).toMatchObject({ role: 'VIEWER' })
  })
})

describe('THR-08: an invitation is valid for its address only', () => {
  test('another person cannot accept it with the token', async () => {
    const amy = await member('OWNER')
    const [dana, eve] = [await person('Dana'), await member('OWNER')]
    const invited = await invite(amy, addressOf(dana))
    await expect(accept(eve, invited)).rejects.toMatchObject({ status: 403, details: [{ code: 'OTHER_ADDRESS' }] })
    for (const forged of [{ userId: dana.userId }, { email: addressOf(dana) }, { role: 'OWNER' }]) {
      const sent = eve.call('users_invitation_accept', { token: invited.token ?? '', ...forged })
      await expect(sent).rejects.toMatchObject({ status: 400 })
    }
    expect((await amy.call('users_members', at(amy))).members).toHaveLength(1)
  })

  test('inviting an address creates no account', async () => {
    const amy = await member('OWNER')
    const email = `${newId()}@example.test`
    await invite(amy, email)
    expect(await system('select id from users where email = $1', [email])).toEqual([])
  })

  test('THR-09: the answer does not reveal whether there is an account', async () => {
    const amy = await member('OWNER')
    const shape = ({ id: _, token: __, email: ___, ...answer }: Awaited<ReturnType<typeof invite>>) => ({
      ...answer,
      expiresAt: '',
      createdAt: '',
      updatedAt: '',
    })
    const known = await invite(amy, addressOf(await person('Dana')))
    expect(shape(await invite(amy, `${newId()}@example.test`))).toEqual(shape(known))
  })

  test('an unknown token is not found', async () => {
    const dana = await person('Dana')
    for (const token of ['x', 'a'.repeat(43), '😀'])
      await expect(accept(dana, { token })).rejects.toMatchObject({ status: 404 })
  })
})

test('a member cannot be invited', async () => {
  const amy = await member('OWNER')
  const bob = await member('EMPLOYEE', { of: amy })
  const again = invite(amy, addressOf(bob).toUpperCase())
  await expect(again).rejects.toMatchObject({ status: 409, details: [{ code: 'ALREADY_MEMBER' }] })
})

describe('a member cannot invite to a role above their own', () => {
  test.each(roles)('a MANAGER to %s', async (role) => {
    const amy = await member('MANAGER')
    const inviting = invite(amy, `${newId()}@example.test`, role)
    if (role === 'OWNER') await expect(inviting).rejects.toMatchObject({ status: 403, details: [{ code: 'ROLE' }] })
    else expect(await inviting).toMatchObject({ role })
  })

  test('and cannot replace such an invitation', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    const email = `${newId()}@example.test`
    await invite(amy, email, 'OWNER')
    await expect(invite(bob, email, 'VIEWER')).rejects.toMatchObject({ status: 403 })
  })
})

test.each(['x', 'a b@example.test', '"a"@example.test', 'a@b'])('the address %j is refused', async (email) => {
  const amy = await member('MANAGER')
  await invite(amy, 'a@example.test')
  await expect(invite(amy, email)).rejects.toMatchObject({ status: 400, details: [{ path: 'email' }] })
})

/** The same person at an app of the test's own. */
async function appWith(config: Config) {
  const app = await createApp(config, theDatabase())
  onTestFinished(() => app.close())
  await app.server.ready()
  return async (who: Someone, name: string, { id, ...body }: { id?: string } & Record<string, unknown>) => {
    const url = operationNamed(name).path.replace('{id}', id ?? '')
    const answer = await app.server.inject({ method: 'POST', url, headers: { ...who.credentials }, payload: body })
    return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
  }
}

test('in strict mode the token is sent by mail only, and the address must be confirmed', async () => {
  const post = await appWith({ ...testConfig(), mode: 'strict' })
  const amy = await member('MANAGER')
  const dana = await person('Dana')
  await system('update users set email_verified_at = now() where id = $1', [amy.userId]) // to send mail
  const made = await post(amy, 'users_invitations_post', { ...at(amy), email: addressOf(dana), role: 'VIEWER' })
  expect(made.status).toBe(201)
  expect(made.body).not.toHaveProperty('token')
  const [mail] = await queuedTo(addressOf(dana))
  const [, token = ''] = /token=(\w+)/.exec(mail?.text ?? '') ?? []
  expect(await post(dana, 'users_invitation_accept', { token })).toMatchObject({
    status: 403,
    body: { error: { details: [{ code: 'NOT_VERIFIED' }] } },
  })
  await system('update users set email_verified_at = now() where id = $1', [dana.userId])
  expect(await post(dana, 'users_invitation_accept', { token })).toMatchObject({ status: 200 })
})

test('RATE: an address can be invited five times, then the limit applies, and no further mail is sent', async () => {
  const post = await appWith(testConfig({ RATE_LIMIT_SCALE: '1' }))
  const amy = await member('MANAGER')
  const email = `${newId()}@example.test`
  const asked = async (address: string) =>
    (await post(amy, 'users_invitations_post', { ...at(amy), email: address, role: 'VIEWER' })).status
  const statuses = []
  for (let time = 0; time < 6; time++) statuses.push(await asked(time % 2 ? email : email.toUpperCase()))
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  const elsewhere = await member('MANAGER')
  const other = await post(elsewhere, 'users_invitations_post', { ...at(elsewhere), email, role: 'VIEWER' })
  expect(other).toMatchObject({
    status: 429,
    body: { error: { message: expect.stringContaining('invitations to this address') } },
  })
  expect(await asked(`${newId()}@example.test`)).toBe(201)
  expect(await system('select id from mail_deliveries where lower("to") = $1', [email])).toHaveLength(5)
})

test('RATE: an organization can send a hundred invitations at once and not one more', async () => {
  const post = await appWith(testConfig({ RATE_LIMIT_SCALE: '0.02' })) // two, for brevity
  const amy = await member('MANAGER')
  const statuses = []
  for (let time = 0; time < 3; time++) {
    const email = `${newId()}@example.test`
    statuses.push((await post(amy, 'users_invitations_post', { ...at(amy), email, role: 'VIEWER' })).status)
  }
  expect(statuses).toEqual([201, 201, 429])
})
