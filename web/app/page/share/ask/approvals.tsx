import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Output } from '../../../../../src/client/index.ts'
import { MAX_APPROVERS } from '../../../../../src/model/page/limits.ts'
import { api } from '../../../api.ts'
import { Switch } from '../../../ui/switch.tsx'
import { AddressList } from '../address-list.tsx'
import { keyOf, parseAddresses } from '../addresses.ts'
import { PlanNote, useHasPro } from '../link/plan-note.tsx'
import { Unfolded } from '../section.tsx'
import { Refusal } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { AskForApproval } from './ask-for-approval.tsx'

type Approvals = Output<'getApprovals'>['data']

/** Approvals: they are on as soon as somebody is named. */
export function Approvals() {
  const { page, save } = useSharing()
  const hasPro = useHasPro()
  const [isNaming, setNaming] = useState(false)
  const { collect_approvals: isOn, approver_emails: emails } = page

  function change(next: boolean): void {
    setNaming(next && emails.length === 0)
    const isDone = next ? emails.length > 0 : isOn
    if (isDone) save('collect_approvals', { collect_approvals: next })
  }
  return (
    <div className="grid gap-3">
      <div>
        <Switch
          label="Approvals"
          help={
            hasPro || isOn ? (
              'People you name approve the page or request changes, by a confirmed email.'
            ) : (
              <PlanNote />
            )
          }
          isOn={isOn || isNaming}
          isDisabled={!hasPro && !isOn}
          onChange={change}
        />
        <Refusal field="collect_approvals" />
      </div>
      {(isOn || isNaming) && (
        <Unfolded>
          <Approvers isOn={isOn} />
        </Unfolded>
      )}
    </div>
  )
}

function Approvers({ isOn }: { isOn: boolean }) {
  const { page, saved, save } = useSharing()
  const { data } = useQuery({
    queryKey: ['approvals', page.id, saved.approver_emails],
    queryFn: async () => (await api.getApprovals({ id: page.id })).data,
    enabled: saved.collect_approvals,
    placeholderData: (before) => before,
  })
  return (
    <>
      <AddressList
        name="approver_emails"
        label="Approvers"
        verb="Add"
        placeholder="ann@example.com"
        help={isOn ? '' : 'Approvals begin once you name the first one.'}
        parse={parseAddresses}
        noun={['email address', 'email addresses']}
        max={MAX_APPROVERS}
        keepsOne="The last approver: switch approvals off instead"
        {...(!isOn && { also: { collect_approvals: true } })}
        noteOf={(email) => stateOf(data, email)}
      />
      {isOn && (
        <>
          <div>
            <Switch
              label="Approvers see each other’s decisions"
              isOn={page.approvals_visibility === 'shared'}
              onChange={(isShared) =>
                save('approvals_visibility', {
                  approvals_visibility: isShared ? 'shared' : 'owner',
                })
              }
            />
            <Refusal field="approvals_visibility" />
          </div>
          {data && <AskForApproval approvals={data} />}
          <Link href={`/pages/${page.id}/approvals`} className="link justify-self-start text-13">
            Decisions and the signed record
          </Link>
        </>
      )}
    </>
  )
}

/** What an approver has said about what is published. */
function stateOf(approvals: Approvals | undefined, email: string): string {
  const approver = approvals?.approvers.find((each) => keyOf(each.email) === keyOf(email))
  if (approver === undefined) return ''
  if (!approver.is_current) return approver.asked_at === null ? 'not asked' : 'waiting'
  return approver.decision === 'approved' ? 'approved' : 'requests changes'
}
