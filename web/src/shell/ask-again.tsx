import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { session } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/text-field.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useWords, words } from '../words.ts'

const said = words(
  { password: 'Password', code: 'Code of your authenticator app', act: 'Go on' },
  { password: 'סיסמה', code: 'קוד מאפליקציית האימות', act: 'המשך' },
)

type Typed = { value: string; onChange: (value: string) => void; error?: string | undefined }

export function PasswordField({ value, onChange, error }: Typed) {
  const say = useWords(said)
  const kind = { type: 'password', autoComplete: 'current-password' }
  return <TextField {...kind} label={say.password} dir="ltr" autoFocus {...{ value, onChange, error }} />
}

export function CodeField({ value, onChange, error }: Typed) {
  const say = useWords(said)
  const kind = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const
  return <TextField {...kind} label={say.code} dir="ltr" autoFocus {...{ value, onChange, error }} />
}

type Asked = {
  title: string
  hint: string
  /** The other way to say who one is. */
  other: { label: string; onPress: () => void }
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks who is signed in for a password or a code, in a form that password managers know. */
export function AskAgain({ title, hint, other, busy, onSubmit, onClose, children }: Asked) {
  const say = useWords(said)
  const { data } = useQuery({ ...session, enabled: false })
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation() // it may stand over a form whose sending waits for the answer
          onSubmit()
        }}
      >
        <p className="text-soft">{hint}</p>
        <input type="hidden" name="email" autoComplete="username" value={data?.user.email ?? ''} />
        {children}
        <div className="flex flex-wrap gap-2 justify-end">
          <Button look="quiet" onPress={other.onPress}>
            {other.label}
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            {say.act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
