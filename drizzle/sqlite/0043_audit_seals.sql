ALTER TABLE `audit_heads` ADD `plain` integer;--> statement-breakpoint
ALTER TABLE `audit_heads` ADD `seal` text;