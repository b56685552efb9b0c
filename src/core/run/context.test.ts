import { expect, test } from 'vitest'
import type { CallerSource } from '../define/access.ts'
import { callerOf } from './context.ts'

const nobody = {
  ...{ keyId: null, sessionId: null, scopes: null, signedInAgoH: null, organizationId: null, role: null },
  ...{ reachable: null, appId: null, clientId: null },
}
type Given = { userId: string; authorUserId?: string; actingFor?: readonly string[] }
const whoIs = (source: CallerSource, authorization: Given) => {
  const caller = { source, credential: null, requestId: 'r' }
  const actingFor = [...(authorization.actingFor ?? [authorization.userId])]
  return callerOf({ caller, input: {}, trace: {} }, Promise.resolve({ ...nobody, ...authorization, actingFor }))
}

test.each([
  ['a person', 'SESSION', { userId: 'amy' }, { authorUserId: null, actingFor: ['amy'] }],
  [
    'a run of a graph of its owner',
    'AUTOMATION',
    { userId: 'amy', authorUserId: 'amy', actingFor: ['amy', 'amy'] },
    { actingFor: ['amy'] },
  ],
  [
    'a run of a graph that somebody else saved',
    'AUTOMATION',
    { userId: 'amy', authorUserId: 'cyd', actingFor: ['cyd', 'amy'] },
    { userId: 'amy', authorUserId: 'cyd', actingFor: ['cyd', 'amy'] },
  ],
  [
    'a run that somebody else tested',
    'AUTOMATION',
    { userId: 'bob', authorUserId: 'cyd', actingFor: ['bob', 'cyd', 'amy'] },
    { userId: 'bob', authorUserId: 'cyd', actingFor: ['bob', 'cyd', 'amy'] },
  ],
] as const)('the caller of an operation, and for whom it acts: %s', async (_, source, authorization, expected) => {
  expect(await whoIs(source, authorization)).toMatchObject(expected)
})
