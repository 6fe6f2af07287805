CREATE TABLE `contact_imports` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`encoding` text NOT NULL,
	`delimiter` text NOT NULL,
	`lines` integer NOT NULL,
	`state` text NOT NULL,
	`plan` text,
	`done_lines` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`expires_at` text,
	`user_id` text NOT NULL,
	`user_name` text NOT NULL,
	`address` text,
	`ended_at` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contact_imports_due` ON `contact_imports` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contact_imports_expiring` ON `contact_imports` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `refused_lines` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`field` text,
	`rule` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `line`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`import_id`) REFERENCES `contact_imports`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `contact_merges` (
	`tenant_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`into_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `contact_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`into_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `contact_merges_into` ON `contact_merges` (`tenant_id`,`into_id`);--> statement-breakpoint
CREATE INDEX `organisations_name` ON `organisations` (`tenant_id`,lower(name),`id`);