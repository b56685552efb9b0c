import { event } from './event.ts'
import { Id, Instant, Type } from './schema.ts'

const Tick = Type.Object({
  id: Id,
  organizationId: Id,
  firedAt: Instant,
  localDate: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'The local day on which it was due.' }),
  period: Type.String({
    description: 'The local hour with its offset, day, ISO week or month.',
    examples: ['2026-03-02T14+08:00', '2026-03-02', '2026-W10', '2026-03'],
  }),
  timezone: Type.String({ description: 'IANA zone of the organization.', examples: ['Asia/Singapore'] }),
})

/**
 * Schedule events, one for each organization and local period. The worker emits them where a subscriber needs them
 * (worker/clock.ts). After an outage the event of a missed period comes late, and of several missed periods only the latest.
 */
export const scheduleEvents = [
  event('schedule.hourly', Tick, 'Every hour'),
  event('schedule.daily', Tick, 'Every day at 08:00'),
  event('schedule.weekly', Tick, 'Every Monday at 08:00'),
  event('schedule.monthly', Tick, 'On the 1st of every month at 08:00'),
] as const
