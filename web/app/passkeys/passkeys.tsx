import { deletion } from '../../../src/model/deletion.ts'
import { exactTime } from '../../time-words.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, type Output } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton, openDialog } from '../ui/dialog.tsx'
import { Note } from '../ui/field.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { ListRow, Notice, RowList, Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'
import {
  PASSKEYS,
  useAddPasskey,
  useIsWithoutMail,
  usePasskeySupport,
  usePasskeys,
} from './use-passkeys.ts'

type Passkey = Output<'listPasskeys'>['data'][number]

export function Passkeys() {
  const { data, error, refetch } = usePasskeys()
  return (
    <Section
      title="Passkeys"
      about="Sign in with a fingerprint, a face or the PIN of a device, without a mail."
    >
      {data === undefined && <Pending error={error} onRetry={refetch} />}
      {data && data.length > 0 && (
        <RowList>
          {data.map((passkey) => (
            <ListRow
              key={passkey.id}
              name={passkey.name}
              hint={`Added ${exactTime(passkey.created_at)}`}
              about={
                <>
                  Added <Time at={passkey.created_at} />,{' '}
                  <Time words="last used" none="not used yet" at={passkey.last_used_at} />
                </>
              }
            >
              <Button onClick={() => rename(passkey)} aria-label={`Rename ${passkey.name}`}>
                Rename
              </Button>
              <Remove passkey={passkey} isLast={data.length === 1} />
            </ListRow>
          ))}
        </RowList>
      )}
      {data && <Add isFirst={data.length === 0} />}
    </Section>
  )
}

function Add({ isFirst }: { isFirst: boolean }) {
  const { base_url: baseUrl } = useBoot()
  const support = usePasskeySupport()
  const isWithoutMail = useIsWithoutMail()
  const add = useAddPasskey()
  if (support === 'browser') return <Note>This browser has no passkeys.</Note>
  if (support === 'address') {
    return (
      <Note>
        {'Browsers take passkeys at addresses with https and a name, and at http://localhost: '}
        not at {baseUrl}.
      </Note>
    )
  }
  const button = <Button mutation={add}>Add a passkey</Button>
  if (!isFirst || !isWithoutMail) return <div>{button}</div>
  return (
    <Notice actions={button}>
      Add one, so that you can sign in again: this server sends no mail.
    </Notice>
  )
}

function rename({ id, name }: Passkey): void {
  openDialog(
    <NameDialog
      title={`Rename ${name}`}
      action="Rename"
      before={name}
      maxLength={100}
      autoComplete="off"
      said="Renamed"
      refresh={[PASSKEYS]}
      save={(next) => api.renamePasskey({ passkey_id: id, name: next })}
    />,
  )
}

function Remove({ passkey: { id, name }, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { email } = useAccount()
  const isLastWay = useIsWithoutMail() && isLast
  const remove = useAction(() => api.removePasskey({ passkey_id: id }), {
    said: 'Passkey removed',
    refresh: [PASSKEYS],
  })
  return (
    <ConfirmButton
      label="Remove"
      name={`Remove ${name}`}
      {...deletion(name, {}, 'Remove')}
      onConfirm={remove.mutate}
    >
      {isLastWay ? (
        <>
          <p>
            {name} is your only way to sign in, as this server sends no mail. Without it you get in
            again by a link alone, which the operator makes:
          </p>
          <p className="mt-2 font-mono text-13 break-words">handbill account sign-in {email}</p>
        </>
      ) : (
        <p>
          It signs in to this account no more. Browsers that are signed in stay so. Delete it in the
          device, too.
        </p>
      )}
    </ConfirmButton>
  )
}
