import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Output, read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'
import { dashboardWords } from './words.ts'

type Automation = Output<'automations_list'>['automations'][number]
const isPaused = ({ status }: Automation) => status === 'PAUSED' || status === 'PAUSED_NO_ACCESS'
const hasFailed = ({ status, lastRun }: Automation) => status === 'ENABLED' && lastRun?.status === 'FAILED'

/** Automations whose last run failed, and those that do not run any more. Without any it is not there. */
export function Trouble() {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const { data } = useQuery({
    ...read('automations_list', { organizationId: org, runSummary: true, limit: 100 }),
    staleTime: 60_000,
  })
  const troubled = data?.automations.filter((each) => isPaused(each) || hasFailed(each)) ?? []
  if (troubled.length === 0) return null
  return (
    <Card title={say.trouble}>
      <ul className="pb-2">
        {troubled.slice(0, 5).map((each) => (
          <li key={each.id}>
            <Link
              to="/o/$org/automations"
              params={{ org }}
              search={{ open: each.id }}
              className="flex items-center gap-2 px-4 py-2 hover:bg-tint"
            >
              <Icon
                name={hasFailed(each) ? 'wrong' : 'pause'}
                className={hasFailed(each) ? 'text-danger' : 'text-warn'}
              />
              <bdi className="font-medium truncate">{each.name}</bdi>
              <span className="text-soft whitespace-nowrap">
                {hasFailed(each) ? say.lastFailed : each.status === 'PAUSED' ? say.paused : say.pausedNoAccess}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
