import { useRef, useState } from 'react'
import { Refused, useWrite } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/forms/choice-field.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useTyped } from '../../ui/forms/typed.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { addressesIn } from './addresses.ts'
import { teamWords } from './team-words.ts'

type Role = keyof (typeof teamWords)['en']['roles']
type Failure = { address: string; reason: string }

/** Invites several people to one role. Those who could not be invited stay in the field, with the reason. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(teamWords)
  const [text, setText] = useTyped('invitations', '')
  const [role, setRole] = useState<Role>('CONTRIBUTOR')
  const { busy, failures, invite } = useInvitations()
  const addresses = addressesIn(text)
  const submit = async () => {
    const failed = await invite(addresses, role)
    if (failed.length === 0) return onClose()
    setText(failed.map(({ address }) => address).join('\n'))
  }
  return (
    <Dialog
      title={say.invite}
      onClose={onClose}
      footer={
        <Button look="primary" type="submit" form="invite" busy={busy} isDisabled={addresses.length === 0}>
          {addresses.length > 1 ? say.inviteMany(addresses.length) : say.invite}
        </Button>
      }
    >
      <form
        id="invite"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field label={say.emails} hint={say.emailsHint} error={failures.map(reasonOf).join(' ') || undefined}>
          <TextArea rows={3} value={text} onText={setText} dir="ltr" inputMode="email" autoFocus />
        </Field>
        <ChoiceField
          value={role}
          onChange={(next) => setRole(next as Role)}
          error={undefined}
          label={say.role}
          hint={say.may[role]}
          options={say.roles}
        />
      </form>
    </Dialog>
  )
}

const reasonOf = ({ address, reason }: Failure) => `${address}: ${reason}`

/** Each address is an invitation of its own; one that is sent again is the same one. */
function useInvitations() {
  const say = useWords(teamWords)
  const lang = useLanguage()
  const { id } = useOrganization()
  const write = useWrite('users_invitations_post')
  const keys = useRef(new Map<string, string>())
  const [busy, setBusy] = useState(false)
  const [failures, setFailures] = useState<Failure[]>([])
  async function invite(addresses: readonly string[], role: Role): Promise<Failure[]> {
    setBusy(true)
    const failed: Failure[] = []
    for (const email of addresses) {
      const key = keys.current.get(`${role} ${email}`) ?? crypto.randomUUID()
      keys.current.set(`${role} ${email}`, key)
      await write.mutateAsync({ id, email, role, key }).catch((error: unknown) => {
        failed.push({ address: email, reason: error instanceof Refused ? refusal(lang, error) : String(error) })
      })
    }
    setBusy(false)
    setFailures(failed)
    const invited = addresses.filter((address) => !failed.some((each) => each.address === address))
    if (invited.length > 0) tell(invited.length === 1 ? say.invited(invited[0] ?? '') : say.invitedMany(invited.length))
    return failed
  }
  return { busy, failures, invite }
}
