import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read, useWrite } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { shownInstant } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { CopyBlock } from '../../ui/values/copy-block.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { SettingsPage } from './layout.tsx'
import { settingsWords } from './words.ts'

const said = words(
  {
    secret: 'Secret of webhooks',
    about: 'Receivers check with it that a webhook comes from this organization (Standard Webhooks).',
    since: 'in use since',
    until: 'the one before it also signs until',
    rotate: 'Replace',
    none: 'There is none yet. One is made with the first webhook, or now.',
    make: 'Make one',
    title: 'Replace the secret?',
    hint: 'For a day webhooks are signed with the old and the new one. Then only with the new one.',
  },
  {
    secret: 'הסוד של webhooks',
    about: 'מקבלים בודקים באמצעותו ש־webhook הגיע מהארגון הזה (Standard Webhooks).',
    since: 'בשימוש מאז',
    until: 'הקודם חותם גם הוא עד',
    rotate: 'החלפה',
    none: 'עדיין אין סוד. הוא נוצר עם ה־webhook הראשון, או עכשיו.',
    make: 'יצירה',
    title: 'להחליף את הסוד?',
    hint: 'במשך יום webhooks נחתמים בישן ובחדש. אחר כך רק בחדש.',
  },
)

/** The secret that signs webhooks. */
export function WebhookSettings() {
  const say = useWords(said)
  const { sections } = useWords(settingsWords)
  const lang = useLanguage()
  const may = useMay()
  const { id } = useOrganization()
  const { data, error, refetch } = useQuery({ ...read('settings_webhook_secret', { id }), staleTime: 0, gcTime: 0 })
  const rotate = useWrite('settings_webhook_secret_rotate', ['settings_webhook'])
  const [asking, setAsking] = useState(false)
  return (
    <SettingsPage title={sections.webhooks}>
      <Card
        title={say.secret}
        action={
          data &&
          may('settings_webhook_secret_rotate') &&
          (data.secret ? (
            <Button onPress={() => setAsking(true)}>{say.rotate}</Button>
          ) : (
            <Button busy={rotate.isPending} onPress={() => rotate.mutate({ id })}>
              {say.make}
            </Button>
          ))
        }
      >
        <div className="p-4 pt-2 grid gap-3">
          <p className="text-soft">{say.about}</p>
          {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
          {data?.secret ? (
            <CopyBlock text={data.secret} label={say.secret} />
          ) : (
            !error && (data ? <p>{say.none}</p> : <Skeleton className="h-12" />)
          )}
          {data?.createdAt && (
            <p className="text-sm text-soft">
              {say.since} {shownInstant(lang, data.createdAt)}
              {data.previousUntil && `; ${say.until} ${shownInstant(lang, data.previousUntil)}`}
            </p>
          )}
        </div>
      </Card>
      {asking && (
        <Ask
          title={say.title}
          act={say.rotate}
          busy={rotate.isPending}
          problem={rotate.error?.message ?? ''}
          onAct={() => rotate.mutate({ id }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {say.hint}
        </Ask>
      )}
    </SettingsPage>
  )
}
