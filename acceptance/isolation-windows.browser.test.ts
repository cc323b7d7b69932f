import { isolationSuite, WITH_WINDOWS } from './isolation.ts'
import { testChromium } from './isolation-visitor.ts'

isolationSuite(testChromium({ withWindows: true }), WITH_WINDOWS)
