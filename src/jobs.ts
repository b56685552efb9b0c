import type { Job } from './core/job.ts'
import { type Subscriber, telling } from './core/subscriber.ts'
import { sendMailJob } from './features/mail/send-mail.ts'
import type { Mail } from './providers/mail.ts'
import { prune } from './worker/prune.ts'

/** Who inside the product is told of events. */
export const subscribers: readonly Subscriber[] = []

/** The outside world that jobs speak to. */
type Providers = { mail: Mail }

/** Everything a worker can be told to do. */
export const jobsWith = ({ mail }: Providers): readonly Job[] => [
  prune,
  sendMailJob({ mail }),
  ...subscribers.map(telling),
]

/** What is done by the clock: minute hour day month weekday job. */
export const crontab = '17 * * * * prune ?fill=1h&id=prune'
