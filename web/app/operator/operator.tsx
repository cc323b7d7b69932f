import { Screen } from '../frame/screen.tsx'

export default function OperatorScreen() {
  return <Screen title="Operator">{null}</Screen>
}
