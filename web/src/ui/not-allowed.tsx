import type { ComponentType } from 'react'
import type { Role } from '../../../src/core/define/access.ts'
import type { Name } from '../api.ts'
import { operations } from '../contract.ts'
import { useMay, useOrganization } from '../session.ts'
import { useWords, words } from '../words.ts'
import { Empty } from './card.tsx'

const said = words(
  {
    title: 'This is not part of your role',
    hint: (needs: string, own: string) =>
      `It needs the role ${needs}; yours is ${own}. An owner or manager can change that.`,
    home: 'To the start',
    roles: { EMPLOYEE: 'Employee', VIEWER: 'Viewer', CONTRIBUTOR: 'Contributor', MANAGER: 'Manager', OWNER: 'Owner' },
  },
  {
    title: 'זה אינו חלק מהתפקיד שלכם',
    hint: (needs, own) => `נדרש התפקיד ${needs}; התפקיד שלכם הוא ${own}. בעלים או מנהל יכולים לשנות זאת.`,
    home: 'אל ההתחלה',
    roles: { EMPLOYEE: 'עובד', VIEWER: 'צופה', CONTRIBUTOR: 'תורם', MANAGER: 'מנהל', OWNER: 'בעלים' },
  },
)

/** In place of a page whose operation the person's role does not allow: which role does. */
export function NotAllowed({ needs }: { needs: Name }) {
  const say = useWords(said)
  const { role = 'EMPLOYEE' } = useOrganization()
  const least: Role = operations[needs].role ?? 'EMPLOYEE'
  return (
    <Empty
      isPage
      title={say.title}
      action={
        <a href="/app" className="text-accent underline">
          {say.home}
        </a>
      }
    >
      {say.hint(say.roles[least], say.roles[role])}
    </Empty>
  )
}

type Loaded = ComponentType & { preload?: () => Promise<void> | undefined }

/** A screen for those whose role allows an operation; nobody fills in a form that will be refused. */
export function onlyFor(needs: Name, Screen: Loaded): Loaded {
  const Guarded = () => (useMay()(needs) ? <Screen /> : <NotAllowed needs={needs} />)
  return Object.assign(Guarded, Screen.preload && { preload: Screen.preload })
}
