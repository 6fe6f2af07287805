CREATE TABLE `calendars` (
	`tenant_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`inbox_id` text,
	`source_id` text,
	`zone` text NOT NULL,
	`hours` text NOT NULL,
	`days_off` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `owner_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendars_inbox` ON `calendars` (`tenant_id`,`inbox_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendars_source` ON `calendars` (`tenant_id`,`source_id`);--> statement-breakpoint
-- The last word of the hours is their time zone.
INSERT INTO calendars (tenant_id, owner_id, inbox_id, source_id, zone, hours, days_off)
SELECT tenant_id, source_id, NULL, source_id, substr(hours, length(rtrim(hours, replace(hours, ' ', ''))) + 1), rtrim(rtrim(hours, replace(hours, ' ', ''))), '[]'
FROM chat_settings WHERE hours IS NOT NULL;
--> statement-breakpoint
INSERT INTO calendars (tenant_id, owner_id, inbox_id, source_id, zone, hours, days_off)
SELECT tenant_id, inbox_id, inbox_id, NULL, substr(hours, length(rtrim(hours, replace(hours, ' ', ''))) + 1), rtrim(rtrim(hours, replace(hours, ' ', ''))), '[]'
FROM inbox_answers WHERE hours IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `chat_settings` DROP COLUMN `hours`;--> statement-breakpoint
ALTER TABLE `inbox_answers` DROP COLUMN `hours`;