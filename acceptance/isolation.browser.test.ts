import { isolationSuite, WITHOUT_WINDOWS } from './isolation.ts'
import { testChromium } from './isolation-visitor.ts'

isolationSuite(testChromium(), WITHOUT_WINDOWS)
