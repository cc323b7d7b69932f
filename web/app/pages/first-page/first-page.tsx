import { Screen } from '../../frame/screen.tsx'
import { Empty } from '../../ui/states.tsx'

export default function FirstPage() {
  return (
    <Screen title="Pages">
      <Empty title="Nothing published yet" />
    </Screen>
  )
}
