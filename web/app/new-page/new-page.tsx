import { Screen } from '../frame/screen.tsx'

export default function NewPageScreen() {
  return <Screen title="New page">{null}</Screen>
}
