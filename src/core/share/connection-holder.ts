import type { ConnectionHolder } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { type Authorization, type LookupKind, organizationLookup } from '../run/authorize.ts'
import type { Call } from '../run/call.ts'
import { organizationSubject } from './organization-holder.ts'

// Who holds a connection, for the limit on connections of one organization and of one person (fair-queue.ts).
//
// The organization of a call is certain only after the database has authorized it, and that needs a connection. So a call is
// first counted against what earlier calls of its credential have shown, and from the authorization on against the truth.
// What a request merely claims, such as the id of an organization, is never counted: outsiders could use up its connections.

const personSubject = (userId: string) => `person:${userId}`

/** All credentials that this process has not seen yet have one limit together: one person can have many of them. */
const newcomers = 'newcomers'

/** The holder of connections of a call. */
export type CallHolder = ConnectionHolder & {
  authorized(authorization: Authorization): void
}

/** What the last call of a credential has shown: whose it is, and in which organization it called. */
type Known = {
  userId: string
  organizationId: string | null
  /** Who its calls count against, in that organization and outside of any. Written once, because every call needs them. */
  subjects: readonly string[]
  personal: readonly string[]
}

const knownMax = 20_000

/** Remembers the person and the organization of credentials. */
export function createHolders() {
  const known = new Map<string, Known>()

  function remember(subject: string, userId: string, organizationId: string | null): Known {
    const before = known.get(subject)
    if (before?.userId === userId && before.organizationId === organizationId) return before
    if (!before && known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    const now = countedFor(userId, organizationId)
    known.set(subject, now)
    return now
  }

  return {
    holderOf(operation: Operation, call: Call, subject: string): CallHolder {
      const lookup = organizationLookup(operation, call.input)
      const isInOrganization = lookup !== 'CALLER' && lookup !== 'ALL'
      const believed = known.get(subject)
      const holder: CallHolder = {
        subjects: believed ? believedSubjects(lookup, call, believed) : unknownSubjects(call, subject),
        givesWay: !call.caller.userId, // a caller inside the product has a person
        turn: undefined,
        authorized({ userId, organizationId }) {
          if (!userId) return void known.delete(subject)
          const last = isInOrganization ? organizationId : (believed?.organizationId ?? null)
          const now = remember(subject, userId, last)
          holder.subjects = isInOrganization ? now.subjects : subjectsOf(now, organizationId)
          holder.turn?.countAs(holder.subjects)
        },
      }
      return holder
    },
  }
}

function countedFor(userId: string, organizationId: string | null): Known {
  const personal = [personSubject(userId)]
  const subjects = organizationId ? [organizationSubject(organizationId), ...personal] : personal
  return { userId, organizationId, subjects, personal }
}

const subjectsOf = ({ userId, personal }: Known, organizationId: string | null) =>
  organizationId ? countedFor(userId, organizationId).subjects : personal

const isNamed = (given: unknown, organizationId: string | null) =>
  typeof given === 'string' && (given === organizationId || given.toLowerCase() === organizationId)

/** The organization of the last call is that of this one too, unless this one names another, or none. */
function believedSubjects(lookup: LookupKind, { input }: Call, { organizationId, subjects, personal }: Known) {
  if (lookup === 'CALLER' || lookup === 'ALL') return personal
  return lookup === 'NAMED' && !isNamed(input.organizationId, organizationId) ? personal : subjects
}

function unknownSubjects({ caller: { link, userId, source } }: Call, subject: string) {
  if (link) return [organizationSubject(link.organizationId)] // its signature was checked
  if (userId) return [personSubject(userId)] // a caller inside the product
  return source === 'PUBLIC' ? [subject] : [subject, newcomers]
}
