import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, session, useWrite } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Day } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Name } from '../../ui/values/name.tsx'
import { useWords } from '../../words.ts'
import { InviteDialog } from './invite.tsx'
import { SettingsPage } from './layout.tsx'
import { teamWords } from './team-words.ts'
import { settingsWords } from './words.ts'

type Member = Output<'users_members'>['members'][number]
type Role = Member['role']

/** Who belongs to the organization, with what they may do, and who is invited. */
export function Team() {
  const say = useWords(teamWords)
  const { sections } = useWords(settingsWords)
  const may = useMay()
  const { id } = useOrganization()
  const members = useQuery(read('users_members', { id }))
  const [inviting, setInviting] = useState(false)
  return (
    <SettingsPage title={sections.team}>
      <Card
        title={say.members}
        action={
          may('users_invitations_post') && (
            <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
              {say.invite}
            </Button>
          )
        }
      >
        {members.error && !members.data && <Problem error={members.error} onAgain={() => void members.refetch()} />}
        {!members.data && !members.error && <Skeleton className="h-32 m-4" />}
        <ul className="pb-2">
          {members.data?.members.map((member) => (
            <MemberRow key={member.userId} member={member} />
          ))}
        </ul>
      </Card>
      {may('users_invitations') && <Invitations />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsPage>
  )
}

function MemberRow({ member }: { member: Member }) {
  const say = useWords(teamWords)
  const may = useMay()
  const { id } = useOrganization()
  const { data } = useQuery(session)
  const [role, setRole] = useState<Role>()
  const [removing, setRemoving] = useState(false)
  const update = useWrite('users_member_update')
  const remove = useWrite('users_member_delete')
  const self = data?.user.id === member.userId
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 px-4 py-2 hover:bg-tint">
      <span className="min-w-0">
        <Name strong>{member.name}</Name>
        <Name quiet>{member.email}</Name>
      </span>
      <span title={say.may[member.role]}>{say.roles[member.role]}</span>
      {may('users_member_update') || self ? (
        <Menu
          trigger={<Button look="quiet" icon="more" label={say.change(member.name)} />}
          entries={[
            ...(may('users_member_update')
              ? (Object.keys(say.roles) as Role[]).map((each) => ({
                  label: say.roles[each],
                  checked: each === member.role,
                  on: () => each !== member.role && setRole(each),
                }))
              : []),
            'rule' as const,
            { label: self ? say.leave : say.remove, icon: 'leave' as const, danger: true, on: () => setRemoving(true) },
          ]}
        />
      ) : (
        <span />
      )}
      {role && (
        <Ask
          title={say.makeTitle(member.name, say.roles[role])}
          act={say.make}
          busy={update.isPending}
          problem={update.error?.message ?? ''}
          onAct={() => update.mutate({ id, userId: member.userId, role }, { onSuccess: () => setRole(undefined) })}
          onClose={() => setRole(undefined)}
        >
          {say.may[role]}
        </Ask>
      )}
      {removing && (
        <Ask
          title={self ? say.leaveTitle : say.removeTitle(member.name)}
          act={self ? say.leave : say.remove}
          danger
          busy={remove.isPending}
          problem={remove.error?.message ?? ''}
          onAct={() =>
            remove.mutate(
              { id, userId: member.userId },
              { onSuccess: () => (self ? location.assign('/app') : setRemoving(false)) },
            )
          }
          onClose={() => setRemoving(false)}
        >
          {say.removeHint}
        </Ask>
      )}
    </li>
  )
}

function Invitations() {
  const say = useWords(teamWords)
  const { id } = useOrganization()
  const { data } = useQuery(read('users_invitations', { id }))
  const cancel = useWrite('users_invitation_delete')
  const open = data?.invitations.filter(({ status }) => status !== 'ACCEPTED') ?? []
  if (open.length === 0) return null
  return (
    <Card title={say.invitations}>
      <ul className="pb-2">
        {open.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-4 px-4 py-2">
            <bdi className="flex-1 min-w-0 truncate">{each.email}</bdi>
            <span className="text-soft">{say.roles[each.role]}</span>
            <span className="text-soft">
              {each.status === 'EXPIRED' ? say.expired : say.until} <Day at={each.expiresAt.slice(0, 10)} />
            </span>
            <Button look="quiet" onPress={() => cancel.mutate({ id, invitationId: each.id })}>
              {say.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
