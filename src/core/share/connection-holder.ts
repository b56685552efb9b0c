import type { ConnectionHolder } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { type Authorization, organizationLookup } from '../run/authorize.ts'
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
export type CallHolder = ConnectionHolder & { authorized(authorization: Authorization): void }

/** What the last call of a credential has shown: whose it is, and in which organization it called. */
type Known = { person: string; organization: string | undefined }

const knownMax = 20_000

/** Remembers the person and the organization of credentials. */
export function createHolders() {
  const known = new Map<string, Known>()

  function remember(subject: string, { person, organization }: Known) {
    const before = known.get(subject)
    if (before?.person === person && before.organization === organization) return
    if (!before && known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    known.set(subject, { person, organization })
  }

  return {
    holderOf(operation: Operation, call: Call, subject: string): CallHolder {
      const believed = known.get(subject)
      const isInOrganization = !['CALLER', 'ALL'].includes(organizationLookup(operation, call.input))
      const holder: CallHolder = {
        subjects: believed ? believedSubjects(operation, call, believed) : unknownSubjects(call, subject),
        turn: undefined,
        authorized({ userId, organizationId }) {
          if (!userId) return void known.delete(subject)
          const person = personSubject(userId)
          const organization = organizationId ? organizationSubject(organizationId) : undefined
          remember(subject, { person, organization: isInOrganization ? organization : believed?.organization })
          holder.subjects = subjectsOf({ person, organization })
          holder.turn?.countAs(holder.subjects)
        },
      }
      return holder
    },
  }
}

const subjectsOf = ({ person, organization }: Known) => (organization ? [organization, person] : [person])

/** The organization of the last call is that of this one too, unless this one names another, or none. */
function believedSubjects(operation: Operation, { input }: Call, { person, organization }: Known) {
  const lookup = organizationLookup(operation, input)
  const isSame = lookup === 'NAMED' ? organizationSubject(String(input.organizationId)) === organization : true
  return subjectsOf({
    person,
    organization: isSame && lookup !== 'CALLER' && lookup !== 'ALL' ? organization : undefined,
  })
}

function unknownSubjects({ caller: { link, userId, source } }: Call, subject: string) {
  if (link) return [organizationSubject(link.organizationId)] // its signature was checked
  if (userId) return [personSubject(userId)] // a caller inside the product
  return source === 'PUBLIC' ? [subject] : [subject, newcomers]
}
