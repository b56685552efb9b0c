import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, useWrite } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Day, shownInstant, shownNumber } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/card.tsx'
import { ChoiceField } from '../../ui/forms/choice-field.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Ask, Dialog } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { CopyBlock } from '../../ui/values/copy-block.tsx'
import { Name } from '../../ui/values/name.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { keyWords } from './keys-words.ts'
import { SettingsPage } from './layout.tsx'
import { settingsWords } from './words.ts'

type Key = Output<'api_keys_list'>['keys'][number]

/** The scopes behind each choice of what a key may do. */
const scopesOf = {
  read: ['*:read'],
  bookkeeping: [
    'customers:*',
    'invoices:*',
    'expenses:*',
    'suppliers:*',
    'reports:read',
    'dashboard:read',
    'organizations:read',
  ],
  all: ['*:*'],
}
type Preset = keyof typeof scopesOf

/** API keys: what they may, when they were used; creating one shows its secret once, with ready configurations. */
export function Keys() {
  const say = useWords(keyWords)
  const { sections } = useWords(settingsWords)
  const { data, error, refetch } = useQuery(read('api_keys_list', {}))
  const [creating, setCreating] = useState(false)
  const keys = data?.keys.filter(({ revokedAt }) => revokedAt === null) ?? []
  return (
    <SettingsPage title={sections.keys}>
      <Card
        title={say.title}
        action={
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {say.create}
          </Button>
        }
      >
        <p className="px-4 pb-2 text-soft">{say.about}</p>
        {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-24 m-4" />}
        {data && keys.length === 0 && <Empty title={say.none}>{say.noneHint}</Empty>}
        <ul className="pb-2">
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      </Card>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </SettingsPage>
  )
}

function KeyRow({ of: key }: { of: Key }) {
  const say = useWords(keyWords)
  const lang = useLanguage()
  const [open, setOpen] = useState(false)
  const [revoking, setRevoking] = useState(false)
  const [editing, setEditing] = useState(false)
  const revoke = useWrite('api_keys_revoke', ['api_keys'])
  return (
    <li className="px-4 py-2 hover:bg-tint">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="flex-1 min-w-40">
          <Name strong>{key.name}</Name>
          <bdi dir="ltr" className="text-soft font-mono text-sm">
            {key.prefix}…
          </bdi>
        </span>
        <Scopes of={key.scopes} />
        <span className="text-soft text-sm">
          {key.lastUsedAt ? `${say.used} ${shownInstant(lang, key.lastUsedAt)}` : say.never}
          {key.expiresAt && (
            <>
              , {say.expires} <Day at={key.expiresAt.slice(0, 10)} />
            </>
          )}
        </span>
        <Button look="quiet" onPress={() => setOpen(!open)} aria-expanded={open}>
          {say.usage}
        </Button>
        <Button look="quiet" onPress={() => setEditing(true)}>
          {say.edit}
        </Button>
        <Button look="danger" onPress={() => setRevoking(true)}>
          {say.revoke}
        </Button>
      </div>
      {open && <Usage id={key.id} />}
      {editing && <EditDialog of={key} onClose={() => setEditing(false)} />}
      {revoking && (
        <Ask
          title={say.revokeTitle(key.name)}
          act={say.revoke}
          danger
          busy={revoke.isPending}
          problem={revoke.error?.message ?? ''}
          onAct={() => revoke.mutate({ id: key.id })}
          onClose={() => setRevoking(false)}
        >
          {say.revokeHint}
        </Ask>
      )}
    </li>
  )
}

/** The name of a key, and until when it is valid. What it may do stays: another key has other rights. */
function EditDialog({ of: { id, name, expiresAt }, onClose }: { of: Key; onClose: () => void }) {
  const say = useWords(keyWords)
  const update = useWrite('api_keys_update', ['api_keys'])
  const day = expiresAt?.slice(0, 10) ?? ''
  const form = useForm({
    initial: { name, day },
    save: (values, key) =>
      update.mutateAsync({
        id,
        name: values.name,
        ...(values.day !== day && { expiresAt: values.day ? `${values.day}T23:59:59Z` : null }),
        key,
      }),
    after: onClose,
  })
  return (
    <FormDialog title={say.editTitle(name)} act={say.save} form={form} onClose={onClose}>
      <TextField {...form.at('name')} label={say.name} hint={say.nameHint} autoFocus />
      <Field label={say.expiresAt} hint={say.expiresHint} error={form.errors.expiresAt}>
        <DayField value={form.values.day} onDay={(next) => form.set('day', next ?? '')} />
      </Field>
    </FormDialog>
  )
}

/** What a key may do: one of the choices by its name, else its scopes. */
function Scopes({ of }: { of: readonly string[] }) {
  const { presets } = useWords(keyWords)
  const isSame = (scopes: readonly string[]) => scopes.length === of.length && scopes.every((each) => of.includes(each))
  const preset = (Object.keys(scopesOf) as Preset[]).find((each) => isSame(scopesOf[each]))
  return preset ? (
    <span className="text-soft text-sm">{presets[preset]}</span>
  ) : (
    <bdi dir="ltr" className="text-soft text-sm">
      {of.join(', ')}
    </bdi>
  )
}

function Usage({ id }: { id: string }) {
  const say = useWords(keyWords)
  const lang = useLanguage()
  const { data } = useQuery(read('api_keys_usage', { id, sinceDays: 30, limit: 10 }))
  if (!data) return <Skeleton className="h-16" />
  const { callCount, errorCount } = data.totals
  return (
    <div className="grid gap-2 py-2">
      <p>
        {shownNumber(lang, callCount)} {say.calls}, {shownNumber(lang, errorCount)} {say.errors}
      </p>
      <ul className="text-sm text-soft grid gap-1">
        {data.recent.map((call) => (
          <li key={call.id} className="flex flex-wrap gap-x-3">
            <time dateTime={call.createdAt}>{shownInstant(lang, call.createdAt)}</time>
            <bdi dir="ltr" className="font-mono">
              {call.method} {call.path}
            </bdi>
            <bdi className={call.statusCode >= 400 ? 'text-danger' : ''}>{call.statusCode}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(keyWords)
  const { id } = useOrganization()
  const create = useWrite('api_keys_create', ['api_keys'])
  const [secret, setSecret] = useState<string>()
  const initial: { name: string; preset: Preset; reach: 'here' | 'all' } = { name: '', preset: 'read', reach: 'here' }
  const form = useForm({
    initial,
    save: ({ name, preset, reach }, key) =>
      create.mutateAsync({
        name,
        scopes: scopesOf[preset],
        ...(reach === 'all' ? { allOrgs: true } : { organizationIds: [id] }),
        key,
      }),
    after: (answer) => setSecret(answer.secret),
  })
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <FormDialog title={say.create} act={say.create} form={form} onClose={onClose}>
      <TextField {...form.at('name')} label={say.name} hint={say.nameHint} autoFocus />
      <ChoiceField {...form.at('preset')} label={say.preset} options={say.presets} />
      <ChoiceField {...form.at('reach')} label={say.reach} options={say.reaches} />
    </FormDialog>
  )
}

/** The secret, once, with what to paste where. It leaves the page with this dialog. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const say = useWords(keyWords)
  const { origin } = location
  const file = { mcpServers: { kontor: { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${secret}` } } } }
  return (
    <Dialog
      title={say.made}
      onClose={onClose}
      wide
      footer={
        <Button look="primary" onPress={onClose}>
          {say.done}
        </Button>
      }
    >
      <p>{say.once}</p>
      <CopyBlock text={secret} label={say.made} />
      <h3 className="font-medium">{say.curl}</h3>
      <CopyBlock text={`curl -H "Authorization: Bearer ${secret}" ${origin}/api/customers`} label={say.curl} />
      <h3 className="font-medium">{say.mcp}</h3>
      <p className="text-soft">{say.mcpHint}</p>
      <CopyBlock
        text={`claude mcp add --transport http kontor ${origin}/mcp --header "Authorization: Bearer ${secret}"`}
        label={say.mcp}
      />
      <p className="text-soft">{say.desktop}</p>
      <CopyBlock text={JSON.stringify(file, null, 2)} label={say.desktop} />
    </Dialog>
  )
}
