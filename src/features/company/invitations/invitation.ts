import { roles } from '../../../core/define/access.ts'
import { Email, Id, Instant, identity, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'
import { base62, sha256 } from '../../../core/values/id.ts'
import { Colleague } from '../people/me.ts'

export const validDays = 7

/** An invitation of an e-mail address to join an organization. */
export const Invitation = Type.Object({
  ...identity,
  email: Text,
  role: OneOf(...roles),
  status: OneOf('PENDING', 'EXPIRED', 'ACCEPTED'),
  invitedBy: nullable(Colleague),
  expiresAt: Instant,
  acceptedAt: nullable(Instant),
})
export type Invitation = Static<typeof Invitation>

export const NewInvitation = Type.Object({ id: Id, email: Email, role: OneOf(...roles) })

export const Invited = Type.Object({
  ...Invitation.properties,
  token: Type.Optional(
    Type.String({ description: 'Accepts the invitation. In local mode only; elsewhere it travels by mail alone.' }),
  ),
})

/** A token of 256 bits, stored as a hash only (SEC class B). */
export function newToken() {
  const token = base62(43)
  return { token, secretHash: sha256(token) }
}

/** The messages for the refusals of accept_invitation(). */
export const refusals = {
  OTHER_ADDRESS: 'This invitation is for another e-mail address. Sign in with the address it was sent to.',
  NOT_VERIFIED: 'Confirm your e-mail address first, then accept the invitation.',
  EXPIRED: 'This invitation has expired. Ask for a new one.',
  WITHDRAWN: 'The sender of this invitation may no longer give that role. Ask for a new invitation.',
  USED: 'This invitation was used before. Ask for a new one.',
}
export type Outcome = keyof typeof refusals | 'UNKNOWN' | 'ACCEPTED' | 'JOINED'
