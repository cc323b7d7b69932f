import { useLocation } from 'wouter-preact'
import type { Page } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { lastDayOf, takeBack } from '../pages/actions.ts'
import { Button, PrimaryButton } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.tsx'
import { openDialog } from '../ui/open-dialog.tsx'
import { nameOf } from './words.ts'

const DeleteForGood = lazy(() => import('../pages/delete-for-good.tsx'))

/** The screen of a page in the trash: it is taken back before anything else. */
export default function TrashedPage({ page }: { page: Page }) {
  const [, navigate] = useLocation()
  const leave = () => navigate('?state=trash')
  const remove = () => openDialog(<DeleteForGood pages={[page]} onDone={leave} />)
  return (
    <Screen title={nameOf(page)}>
      <p className="-mt-3 mb-6 max-w-xl text-muted">
        It is in the trash until {lastDayOf(page.trashed_at!)}. Its link shows nobody anything.
        Taken back, it is what it was, with its address, people, responses and comments.
      </p>
      <div className="flex flex-wrap gap-2">
        <PrimaryButton onClick={() => void takeBack([page])}>Take back</PrimaryButton>
        <Button onClick={remove}>Delete for good</Button>
      </div>
    </Screen>
  )
}
