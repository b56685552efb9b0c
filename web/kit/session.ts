import type { SignedIn } from '../../src/features/company/people/person.ts'

/** Whoever looks at the kit: an owner of a company in Singapore. */
export const signedIn = {
  user: {
    id: 'person',
    name: 'Dana Demo',
    email: 'dana@kontor.test',
    language: 'en',
    emailVerified: true,
    preferences: {},
    unreadCount: 0,
  },
  organizations: [
    {
      id: 'kit',
      name: 'Straits Design Studio Pte. Ltd.',
      country: 'SG',
      currency: 'SGD',
      timezone: 'Asia/Singapore',
      role: 'OWNER',
    },
  ],
} as unknown as SignedIn
