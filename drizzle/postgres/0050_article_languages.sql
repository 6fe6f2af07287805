CREATE TABLE "article_category_names" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"category_id" text COLLATE "C" NOT NULL,
	"language" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	CONSTRAINT "article_category_names_tenant_id_category_id_language_pk" PRIMARY KEY("tenant_id","category_id","language")
);

--> statement-breakpoint
DROP INDEX "article_drafts_article";
--> statement-breakpoint
DROP INDEX "articles_slug";
--> statement-breakpoint
ALTER TABLE "article_drafts" ADD COLUMN "language" text COLLATE "C" DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "language" text COLLATE "C" DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "outdated_since" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "livechat_sources" ADD COLUMN "language" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "livechat_sources" ADD COLUMN "languages" text COLLATE "C" DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "article_category_names" ADD CONSTRAINT "article_category_names_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_category_names" ADD CONSTRAINT "article_category_names_tenant_id_category_id_article_categories_tenant_id_id_fk" FOREIGN KEY ("tenant_id","category_id") REFERENCES "public"."article_categories"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "articles_list" ON "articles" USING btree ("tenant_id","source_id","language","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "article_drafts_article" ON "article_drafts" USING btree ("tenant_id","source_id","article_id","language");
--> statement-breakpoint
CREATE UNIQUE INDEX "articles_slug" ON "articles" USING btree ("tenant_id","source_id","slug","language");
