import { sql } from 'kysely'
import { atLeast } from '../../../core/define/access.ts'
import { conflict, forbidden, invalid, notFound } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one, toUuid } from '../../../core/define/query.ts'
import { ById, Id, Success, success, Text, Type } from '../../../core/define/schema.ts'
import { toAddress } from '../../../core/values/address.ts'
import { newId, sha256 } from '../../../core/values/id.ts'
import type { Language } from '../../../core/values/language.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { queueMail } from '../../platform/mail/queue.ts'
import { notify } from '../notifications/notify.ts'
import { Invitation, Invited, NewInvitation, newToken, type Outcome, refusals, validDays } from './invitation.ts'
import { invitation as invitationMessage } from './template.ts'

export const list = operation({
  name: 'users_invitations',
  http: 'GET /api/organizations/{id}/invitations',
  does: 'Lists the invitations of an organization, newest first, with what became of them.',
  scope: 'users:read',
  role: 'MANAGER',
  within: 'organizations',
  input: ById,
  output: Type.Object({ invitations: wholeList(Invitation) }),
  async run({ db }) {
    const newestFirst = bounded(invitations(db))
      .orderBy('invitations.createdAt', 'desc')
      .orderBy('invitations.id', 'desc')
    return { invitations: (await newestFirst.execute()).map(toInvitation) }
  },
})

export const create = operation({
  name: 'users_invitations_post',
  http: 'POST /api/organizations/{id}/invitations',
  does: 'Invites somebody by e-mail to join an organization; inviting the same address again renews the invitation.',
  scope: 'users:write',
  role: 'MANAGER',
  within: 'organizations',
  input: NewInvitation,
  output: Invited,
  status: 201,
  alsoRates: [
    { bucket: 'invitationsToAddress', per: 'email' },
    { bucket: 'invitationsOfOrganization', per: 'organization' },
  ],
  signedInWithinH: 12,
  secret: true,
  async run(inside, { email, role }) {
    const { db, who, installation, audit } = inside
    const me = await who
    if (!toAddress(email)) throw invalid('email', 'Mail cannot be sent to this address.')
    const { member, pending, message } = await lookUp(db, email, me.userId)
    if (member) throw conflict('A member of the organization already has this address.', 'ALREADY_MEMBER')
    for (const given of [role, pending?.role ?? role]) {
      if (!atLeast(me.role, given))
        throw forbidden(`You cannot give a role above your own, which is ${me.role}.`, 'ROLE')
    }
    const { token, secretHash } = newToken()
    const id = await upsertInvitation(db, { email, role, secretHash, invitedBy: me.userId })
    const url = `${installation.url}/invitations/accept?token=${token}`
    const content = invitationMessage(message.language, { ...message, role, url, validDays })
    await queueMail(inside, { to: email, template: 'invitation', ...content })
    audit({ invitationId: id, email, role })
    const created = toInvitation(await one(invitations(db).where('invitations.id', '=', id), 'invitation'))
    return installation.mode === 'local' ? { ...created, token } : created
  },
})

export const remove = operation({
  name: 'users_invitation_delete',
  http: 'DELETE /api/organizations/{id}/invitations/{invitationId}',
  does: 'Takes an invitation back: nobody can accept it any more.',
  scope: 'users:write',
  role: 'MANAGER',
  within: 'organizations',
  input: Type.Object({ id: Id, invitationId: Id }),
  output: Success,
  async run({ db, audit }, { invitationId }) {
    const deleted = db
      .deleteFrom('invitations')
      .where('id', '=', toUuid(invitationId))
      .returning(['id', 'email', 'role', 'acceptedAt'])
    const { id, email, role, acceptedAt } = await one(deleted, 'invitation')
    if (acceptedAt) throw conflict('This invitation was accepted. Remove the member instead.', 'ACCEPTED')
    audit({ invitationId: id, email, role })
    return success
  },
})

export const accept = operation({
  name: 'users_invitation_accept',
  http: 'POST /api/invitations/accept',
  does: 'Joins the organization that an invitation to the e-mail address of the signed-in person is for.',
  scope: 'users:write',
  sources: ['SESSION'],
  within: 'caller',
  input: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
  output: Type.Object({
    organization: Type.Object({ id: Id, name: Text, country: Text, currency: Text }),
    role: Invitation.properties.role,
  }),
  async run({ db, who, installation, audit }, { token }) {
    const outcome = await acceptToken(db, token, { verifiedOnly: installation.mode === 'strict' })
    const { userId } = await who
    const {
      organization,
      membership: { role, name },
    } = await pipeline({
      organization: db
        .selectFrom('organizations')
        .select(['id', 'name', 'country', 'currency'])
        .executeTakeFirstOrThrow(),
      membership: db
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'userId')
        .select(['role', 'name'])
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow(),
    })
    audit({ userId, role, joined: outcome === 'JOINED' })
    if (outcome === 'JOINED') {
      await notify(db, { kind: 'MEMBER_JOINED', to: 'MANAGERS', except: userId, data: { name, role } })
    }
    return { organization, role }
  },
})

/** The member or the pending invitation with this address, and the data of the message. */
async function lookUp(db: Database, email: string, inviterId: string) {
  const lowerCase = sql<string>`lower(${email}::text)`
  const { member, pending, message } = await pipeline({
    member: db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'userId')
      .select('userId')
      .where(sql`lower(email)`, '=', lowerCase)
      .executeTakeFirst(),
    pending: db
      .selectFrom('invitations')
      .select('role')
      .where(sql`lower(email)`, '=', lowerCase)
      .where('acceptedAt', 'is', null)
      .executeTakeFirst(),
    message: db
      .selectFrom('organizations')
      .leftJoin('organizationSettings', 'organizationId', 'organizations.id')
      .innerJoin('users', (join) => join.on('users.id', '=', inviterId))
      .select(['organizations.name as organizationName', 'users.name as inviterName'])
      .select(sql<Language>`coalesce(language, 'en')`.as('language'))
      .executeTakeFirstOrThrow(),
  })
  return { member, pending, message }
}

type InvitationInput = { email: string; role: Invitation['role']; secretHash: Buffer; invitedBy: string }

/** There is at most one pending invitation per address: a newer one replaces it, and the older token becomes invalid. */
async function upsertInvitation(db: Database, { email, ...given }: InvitationInput): Promise<string> {
  const expiresAt = sql<string>`now() + make_interval(days => ${validDays})`
  const { id } = await db
    .insertInto('invitations')
    .values({ id: newId(), email, ...given })
    .onConflict((same) =>
      same
        .expression(sql`organization_id, lower(email)`)
        .where('acceptedAt', 'is', null)
        .doUpdateSet({ ...given, expiresAt }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Accepts the invitation for the caller, or throws the reason why not. */
async function acceptToken(db: Database, token: string, { verifiedOnly }: { verifiedOnly: boolean }) {
  const { rows } = await sql<{ outcome: Outcome }>`
    select outcome from accept_invitation(${sha256(token)}, ${verifiedOnly})`.execute(db)
  const outcome = rows[0]?.outcome ?? 'UNKNOWN'
  if (outcome === 'ACCEPTED' || outcome === 'JOINED') return outcome
  if (outcome === 'UNKNOWN') throw notFound('invitation')
  const refuse = outcome === 'OTHER_ADDRESS' || outcome === 'NOT_VERIFIED' ? forbidden : conflict
  throw refuse(refusals[outcome], outcome)
}

const invitations = (db: Database) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitedBy')
    .select(['invitations.id', 'organizationId', 'invitations.email', 'role', 'expiresAt', 'acceptedAt'])
    .select(['invitations.createdAt', 'invitations.updatedAt'])
    .select(['users.id as inviterId', 'users.name as inviterName', 'users.email as inviterEmail'])
    .select(sql<boolean>`expires_at <= now()`.as('expired'))

type InvitationRow = Omit<Invitation, 'status' | 'invitedBy'> & {
  expired: boolean
  inviterId: string | null
  inviterName: string | null
  inviterEmail: string | null
}

const toInvitation = ({ expired, inviterId, inviterName, inviterEmail, ...row }: InvitationRow): Invitation => ({
  ...row,
  status: row.acceptedAt ? 'ACCEPTED' : expired ? 'EXPIRED' : 'PENDING',
  invitedBy: inviterId === null ? null : { id: inviterId, name: inviterName ?? '', email: inviterEmail ?? '' },
})
