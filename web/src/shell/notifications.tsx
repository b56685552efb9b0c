import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Output, read, useWrite } from '../api.ts'
import { shownInstant } from '../shown.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/card.tsx'
import { Panel } from '../ui/overlays/panel.tsx'
import { Problem } from '../ui/problem.tsx'
import { useLanguage, useWords, words } from '../words.ts'

const said = words(
  {
    title: 'Notifications',
    readAll: 'Mark all as read',
    none: 'Nothing to tell',
    hint: 'What happens while you are away appears here: payments, disputes, failed runs, invitations.',
    unread: 'Unread',
  },
  {
    title: 'התראות',
    readAll: 'סימון הכול כנקרא',
    none: 'אין חדש',
    hint: 'מה שקורה כשאינכם כאן יופיע כאן: תשלומים, השגות, הרצות שנכשלו, הזמנות.',
    unread: 'לא נקרא',
  },
)
type Notification = Output<'users_notifications'>['notifications'][number]

/** What a notification is about, as an address of the app. */
function addressOf({
  organizationId,
  data,
}: Notification): { to: string; params: object; search?: object } | undefined {
  if (!organizationId) return undefined
  const id = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined)
  const params = { org: organizationId }
  const automation = id('automationId')
  const run = id('runId')
  if (automation && run) return { to: '/o/$org/automations/$id/runs/$run', params: { ...params, id: automation, run } }
  if (automation) return { to: '/o/$org/automations/$id', params: { ...params, id: automation } }
  const document = id('documentId') ?? id('invoiceId')
  if (document) return { to: '/o/$org/documents', params, search: { open: document } }
  if (id('integrationId')) return { to: '/o/$org/settings/tax-authority', params }
  return { to: '/o/$org', params }
}

/** What the person should know, the newest first. Opening one marks it as read. */
export function Notifications({ onClose }: { onClose: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const list = read('users_notifications', { limit: 50 })
  const { data, error, refetch } = useQuery(list)
  const readOne = useWrite('users_notification_read', ['users_notifications'])
  const readAll = useWrite('users_notifications_read_all', ['users_notifications'])
  /** Read marks are shown at once; what the server says comes after. */
  function mark(readId: string) {
    const readAt = new Date().toISOString()
    queries.setQueryData<Output<'users_notifications'>>(
      list.queryKey,
      (before) =>
        before && {
          ...before,
          notifications: before.notifications.map((each) => (each.id === readId ? { ...each, readAt } : each)),
          unreadCount: before.unreadCount - 1,
        },
    )
  }
  const open = (each: Notification) => {
    if (!each.readAt) {
      mark(each.id)
      readOne.mutate({ id: each.id })
    }
    const to = addressOf(each)
    if (to) void navigate(to as never)
    onClose()
  }
  return (
    <Panel
      label={say.title}
      title={<span className="font-medium">{say.title}</span>}
      onClose={onClose}
      tools={
        (data?.unreadCount ?? 0) > 0 && (
          <Button look="quiet" icon="check" onPress={() => readAll.mutate({})}>
            {say.readAll}
          </Button>
        )
      }
    >
      {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
      {data?.notifications.length === 0 && <Empty title={say.none}>{say.hint}</Empty>}
      <ul className="grid gap-1">
        {data?.notifications.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              className="w-full text-start rounded-md px-3 py-2 hover:bg-tint flex gap-2"
              onClick={() => open(each)}
            >
              <span className={`mt-1.5 size-2 shrink-0 rounded-full ${each.readAt ? '' : 'bg-accent'}`}>
                {!each.readAt && <span className="sr-only">{say.unread}</span>}
              </span>
              <span className="min-w-0 flex-1">
                <bdi className={`block on-line-start ${each.readAt ? 'text-soft' : ''}`}>{each.text}</bdi>
                <time dateTime={each.createdAt} className="text-xs text-soft">
                  {shownInstant(lang, each.createdAt)}
                </time>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
