/** The route modules that every server mounts. The API itself needs keys and is added by the caller (see `apiRoutes`). */
import type { RouteModule } from './route-module.ts';

export const routeModules: readonly RouteModule[] = [];
