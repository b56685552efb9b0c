import { expect, test } from 'vitest'
import type { CallerSource } from '../define/access.ts'
import { callerOf } from './context.ts'

const nobody = {
  ...{ keyId: null, sessionId: null, scopes: null, signedInAgoH: null, organizationId: null, role: null },
  ...{ reachable: null, appId: null, clientId: null },
}
const whoIs = (source: CallerSource, authorization: { userId: string; authorUserId?: string }) => {
  const caller = { source, credential: null, requestId: 'r' }
  return callerOf({ caller, input: {}, trace: {} }, Promise.resolve({ ...nobody, ...authorization }))
}

test.each([
  ['a person', 'SESSION', { userId: 'amy' }, { authorUserId: null, actingFor: ['amy'] }],
  ['a run of a graph of its owner', 'AUTOMATION', { userId: 'amy', authorUserId: 'amy' }, { actingFor: ['amy'] }],
  [
    'a run of a graph that somebody else saved',
    'AUTOMATION',
    { userId: 'amy', authorUserId: 'cyd' },
    { userId: 'amy', authorUserId: 'cyd', actingFor: ['amy', 'cyd'] },
  ],
] as const)('the caller of an operation, and for whom it acts: %s', async (_, source, authorization, expected) => {
  expect(await whoIs(source, authorization)).toMatchObject(expected)
})
