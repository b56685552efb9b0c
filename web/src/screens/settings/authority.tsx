import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useMay, useOrganization } from '../../session.ts'
import { countryName, shownInstant } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/card.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Facts } from '../../ui/values/facts.tsx'
import { Ringed, type Status } from '../../ui/values/status.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { type Authority, asksPerson, useCheck } from './authority-check.ts'
import { CredentialsForm } from './authority-form.tsx'
import { authorityWords } from './authority-words.ts'
import { SettingsPage } from './layout.tsx'
import { settingsWords } from './words.ts'

type Listed = Output<'integrations_tax_authority'>['integrations'][number]

/** The tax authority of the organization's country: whether it is connected, with what, and how that is changed. */
export function TaxAuthority() {
  const say = useWords(authorityWords)
  const lang = useLanguage()
  const { sections } = useWords(settingsWords)
  const may = useMay()
  const { id, country } = useOrganization()
  const { data, error, refetch } = useQuery(read('integrations_tax_authority', { id }))
  const own = data?.integrations.find((each) => each.country === country)
  return (
    <SettingsPage title={sections.authorities}>
      {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-60" />}
      {data && !own && (
        <Card>
          <Empty title={say.none}>{say.noneHint(countryName(lang, country))}</Empty>
        </Card>
      )}
      {own && (may('integrations_tax_authority_get') ? <Managed of={own} /> : <Told of={own} />)}
      {own?.connected && <OnIssue />}
    </SettingsPage>
  )
}

/** For those who may not change it: whether it is connected. */
function Told({ of }: { of: Listed }) {
  const say = useWords(authorityWords)
  const state = !of.connected ? 'absent' : of.lastValidatedAt ? 'works' : 'entered'
  return (
    <Card title={<bdi>{say.names[of.integrationId] ?? of.name}</bdi>} className="pb-4">
      <div className="px-4 pt-1 grid gap-2">
        <Ringed is={rings[state]} word={say.states[state]} />
        <p className="text-soft">{say.role}</p>
      </div>
    </Card>
  )
}

type State = 'absent' | 'entered' | 'works' | 'fails'
const rings: Record<State, Status> = { absent: 'DRAFT', entered: 'UNSENT', works: 'PAID', fails: 'LATE' }

const stateOf = ({ status }: Authority): State =>
  !status.exists ? 'absent' : status.validationError ? 'fails' : status.isValidated ? 'works' : 'entered'

function Managed({ of: { integrationId } }: { of: Listed }) {
  const { id } = useOrganization()
  const { data, error, refetch } = useQuery(read('integrations_tax_authority_get', { id, integrationId }))
  const [changing, setChanging] = useState(false)
  if (!data) return error ? <Problem error={error} onAgain={() => void refetch()} /> : <Skeleton className="h-60" />
  return (
    <>
      <Connection of={data} onChange={changing ? undefined : () => setChanging(true)} />
      {(changing || !data.status.exists) && <CredentialsForm of={data} onDone={() => setChanging(false)} />}
    </>
  )
}

function Connection({ of, onChange }: { of: Authority; onChange: (() => void) | undefined }) {
  const say = useWords(authorityWords)
  const lang = useLanguage()
  const state = stateOf(of)
  const { exists, lastValidatedAt, validationError } = of.status
  return (
    <Card title={<bdi>{say.names[of.integrationId] ?? of.name}</bdi>} className="pb-4">
      <div className="px-4 pt-1 grid gap-3">
        <p className="text-soft max-w-[36rem]">{say.about[of.integrationId] ?? <bdi>{of.description}</bdi>}</p>
        <Facts
          of={[
            [say.state, <Ringed key="state" is={rings[state]} word={say.states[state]} />],
            [say.environment, exists && <EnvironmentMark key="environment" of={of.environment} />],
            [
              say.checked,
              lastValidatedAt && <time dateTime={lastValidatedAt}>{shownInstant(lang, lastValidatedAt)}</time>,
            ],
          ]}
        />
        {validationError && (
          <Alert>
            <bdi>{validationError}</bdi>
          </Alert>
        )}
        {exists && <Acts of={of} state={state} onChange={onChange} />}
      </div>
    </Card>
  )
}

const EnvironmentMark = ({ of }: { of: Authority['environment'] }) => {
  const say = useWords(authorityWords)
  return of === 'production' ? (
    say.environments.production
  ) : (
    <>
      <span className="text-warn bg-warn-wash rounded-sm px-1.5">{say.environments.sandbox}</span>{' '}
      <span className="text-soft">{say.sandboxHint}</span>
    </>
  )
}

type ActsProps = { of: Authority; state: State; onChange: (() => void) | undefined }

/** Check, sign in there, change, disconnect. */
function Acts({ of, state, onChange }: ActsProps) {
  const say = useWords(authorityWords)
  const { id } = useOrganization()
  const given = { id, integrationId: of.integrationId }
  const check = useCheck(of)
  const connect = useWrite('integrations_tax_authority_connect', [])
  const [leaving, setLeaving] = useState(false)
  const lang = useLanguage()
  const signIn = () =>
    connect.mutateAsync(given).then(
      ({ authorizeUrl }) => location.assign(authorizeUrl),
      (error) => tell(problemText(lang, error), { bad: true }),
    )
  const signsIn = asksPerson(of)
  return (
    <div className="flex flex-wrap gap-2">
      {signsIn && (
        <Button
          look={state === 'works' ? 'plain' : 'primary'}
          icon="external"
          busy={connect.isPending}
          onPress={() => void signIn()}
        >
          {say.signIn}
        </Button>
      )}
      <Button
        look={state === 'works' || signsIn ? 'plain' : 'primary'}
        icon="plug"
        busy={check.busy}
        onPress={() => void check.run()}
      >
        {say.check}
      </Button>
      {onChange && <Button onPress={onChange}>{say.change}</Button>}
      <Button look="danger" onPress={() => setLeaving(true)}>
        {say.disconnect}
      </Button>
      {leaving && <Disconnect of={of} onClose={() => setLeaving(false)} />}
    </div>
  )
}

function Disconnect({ of, onClose }: { of: Authority; onClose: () => void }) {
  const say = useWords(authorityWords)
  const lang = useLanguage()
  const { id } = useOrganization()
  const write = useWrite('integrations_tax_authority_delete', ['integrations', 'invoices'])
  const act = async () => {
    await write.mutateAsync({ id, integrationId: of.integrationId })
    tell(say.disconnected)
    onClose()
  }
  return (
    <Ask
      title={say.disconnectTitle(say.names[of.integrationId] ?? of.name)}
      act={say.disconnectAct}
      danger
      busy={write.isPending}
      problem={write.error ? problemText(lang, write.error) : ''}
      onAct={() => void act().catch(() => {})}
      onClose={onClose}
    >
      {say.disconnectHint}
    </Ask>
  )
}

/** Whether documents are submitted by themselves. */
function OnIssue() {
  const say = useWords(authorityWords)
  const may = useMay()
  const { id } = useOrganization()
  const { data } = useQuery(read('settings_get', { id }))
  const update = useWrite('settings_update')
  if (!data) return <Skeleton className="h-20" />
  return (
    <Card title={say.onIssue} className="pb-4">
      <div className="px-4 pt-1 flex items-start gap-3">
        <Switch
          label={say.onIssueSwitch}
          on={data.clearOnIssue}
          disabled={!may('settings_update') || update.isPending}
          onSwitch={(clearOnIssue) => update.mutate({ id, clearOnIssue })}
        />
        <span>
          {say.onIssueSwitch}
          <span className="block text-soft">{say.onIssueHint}</span>
        </span>
      </div>
    </Card>
  )
}
